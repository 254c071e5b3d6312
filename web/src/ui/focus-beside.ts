/** What comes and goes as a whole: rows of lists and tables, groups of controls, what was told. Grids lead their own keys. */
const parts = 'li, tr, fieldset, [role=alert]';
const reachable = 'a[href], button, input, select, textarea, [tabindex="0"]';
const inFront = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/** Where somebody stands: in a part, at one of its controls. */
interface Standing {
  readonly focused: Element;
  readonly part: Element;
  /** The parts of which it is one. */
  readonly all: readonly Element[];
  readonly place: number;
  readonly pathname: string;
}

const isReachable = (control: Element): control is HTMLElement =>
  control instanceof HTMLElement && control.matches(reachable) && !control.matches(':disabled');

const controlsIn = (part: Element): readonly HTMLElement[] =>
  [part, ...part.querySelectorAll(reachable)].filter(isReachable);

function standingAt(focused: HTMLElement): Standing | undefined {
  const part = focused.closest(parts);
  if (part === null || part.closest('[role=grid], [role=tree]') !== null) return undefined;
  return {
    focused,
    part,
    all: [...(part.parentElement?.children ?? [])],
    place: controlsIn(part).indexOf(focused),
    pathname: window.location.pathname,
  };
}

/** The control at the same place of what is left of the part, of the like that stood behind it, or before; else what else is there. */
function beside({ part, all, place }: Standing): HTMLElement | null {
  const own = all.indexOf(part);
  const others = [...all.slice(own + 1), ...all.slice(0, own).toReversed()];
  const alike = others.filter(({ tagName }) => tagName === part.tagName);
  for (const other of [part, ...alike, ...others]) {
    const controls = other.isConnected ? controlsIn(other) : [];
    const next = controls[Math.min(Math.max(place, 0), controls.length - 1)];
    if (next !== undefined) return next;
  }
  return document.getElementById('main');
}

/**
 * Whoever deletes the row in which they stand is at the next one then, and not at the beginning of the page. What asks whether it is to be
 * deleted is in front meanwhile; rows go before it does, or after. `pressed`: where somebody stood before this was there.
 */
export function keepFocusBeside(pressed: EventTarget | null | undefined): void {
  const control = pressed instanceof Element ? pressed.closest<HTMLElement>(reachable) : null;
  let stands = control === null ? undefined : standingAt(control);
  /** Something was opened from there. A control that goes without that leaves the focus to what comes in its place, as a text to its editor. */
  let hasOpened = document.activeElement?.closest(inFront) != null;
  // Browsers take the focus from what is disabled, as the arrow of what has come to the top.
  const isGone = ({ part, focused }: Standing) =>
    !(hasOpened ? focused : part).isConnected || focused.matches(':disabled');
  const give = () => {
    if (stands === undefined || !isGone(stands) || document.activeElement !== document.body) return;
    const left = stands;
    stands = undefined;
    if (window.location.pathname === left.pathname) beside(left)?.focus({ preventScroll: true });
  };
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    hasOpened = target.closest(inFront) !== null;
    if (!hasOpened) stands = standingAt(target);
  });
  new MutationObserver(() => {
    // Whoever knows better where to go on does so before the next frame.
    if (stands !== undefined && isGone(stands)) requestAnimationFrame(give);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}
