/** Holds one part of the page: a fault in it is named in its place, and the rest of the page goes on. */
import { Component, type ComponentChildren } from 'preact';

interface BoundaryProps {
  /** What cannot be shown then. */
  readonly of: string;
  readonly children: ComponentChildren;
}

export class Boundary extends Component<BoundaryProps, { failure?: string }> {
  static override getDerivedStateFromError(error: unknown): { failure: string } {
    return { failure: String(error) };
  }

  override render() {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return (
      <p class="broken" role="alert">
        {this.props.of} cannot be shown: {failure}
      </p>
    );
  }
}
