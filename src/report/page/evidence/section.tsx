/** A part of the evidence under a heading of its own. */
import type { ComponentChildren } from 'preact';

interface SectionProps {
  readonly title: string;
  readonly note?: string;
  readonly children: ComponentChildren;
}

export function Section({ title, note, children }: SectionProps) {
  return (
    <section class="part">
      <h4>
        {title}
        {note ? <span class="dim"> {note}</span> : null}
      </h4>
      {children}
    </section>
  );
}
