/** A long list of rows of one height, of which only those in view are in the page. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualRowsProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  /** The row to bring into view when it changes. */
  readonly focus?: number | undefined;
  readonly row: (index: number) => ComponentChildren;
  readonly header?: ComponentChildren;
}

const around = 8;

export function VirtualRows({ count, rowHeight, label, focus, row, header }: VirtualRowsProps) {
  const box = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || focus === undefined || focus < 0) return;
    const top = focus * rowHeight;
    const isInView =
      top >= element.scrollTop && top + rowHeight * 2 <= element.scrollTop + element.clientHeight;
    if (!isInView) element.scrollTop = Math.max(0, top - element.clientHeight / 3);
  }, [focus, rowHeight]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - around);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + around);
  return (
    <section class="virtual" ref={box} tabIndex={0} aria-label={label}>
      {header}
      <div class="virtual-body" style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, index) => (
          <div
            key={first + index}
            class="virtual-row"
            style={{ transform: `translateY(${(first + index) * rowHeight}px)`, height: `${rowHeight}px` }}
          >
            {row(first + index)}
          </div>
        ))}
      </div>
    </section>
  );
}
