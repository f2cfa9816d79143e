/** How wide a drawing may be. */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Width of what has the reference, px. */
export function useWidth(): [RefObject<HTMLDivElement>, number] {
  const [width, setWidth] = useState(320);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, width];
}
