let waiting: (() => void)[] = [];

function goOn(): void {
  const works = waiting;
  waiting = [];
  for (const work of works) work();
}

// Whatever is pressed next meets what the press before led to.
for (const press of ['keydown', 'pointerdown']) document.addEventListener(press, goOn, true);

/** Lets whoever presses a button or a link see that before work begins that takes long. Keys show nothing until it is done. */
export function afterPaint(work: () => void): void {
  waiting.push(work);
  if (!(window.event instanceof MouseEvent)) goOn();
  else if (waiting.length === 1) requestAnimationFrame(() => setTimeout(goOn));
}
