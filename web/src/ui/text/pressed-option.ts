import {
  acceptCompletion,
  type Completion,
  completionStatus,
  currentCompletions,
  setSelectedCompletion,
} from '@codemirror/autocomplete';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const wordsIn = (option: Element, part: 'Label' | 'Detail') =>
  option.querySelector(`.cm-completion${part}`)?.textContent ?? '';

/**
 * The list stays while it is asked for anew, after each letter, and CodeMirror takes no press meanwhile. What is pressed then is chosen once
 * the list has come, if it still offers that.
 */
class PressedOption {
  readonly #view: EditorView;
  #isPressed: ((option: Completion) => boolean) | undefined;

  constructor(view: EditorView) {
    this.#view = view;
    view.dom.addEventListener('mousedown', this.#press, true);
  }

  readonly #press = (event: MouseEvent): void => {
    if (completionStatus(this.#view.state) !== 'pending' || !(event.target instanceof Element)) return;
    const option = event.target.closest('.cm-tooltip-autocomplete [role="option"]');
    if (option === null) return;
    event.preventDefault();
    event.stopPropagation();
    const [label, detail] = [wordsIn(option, 'Label'), wordsIn(option, 'Detail')];
    this.#isPressed = (one) => one.label === label && (one.detail ?? '') === detail;
  };

  update({ docChanged, state }: ViewUpdate): void {
    const isPressed = this.#isPressed;
    if (docChanged) this.#isPressed = undefined;
    if (isPressed === undefined || docChanged || completionStatus(state) === 'pending') return;
    this.#isPressed = undefined;
    const place = currentCompletions(state).findIndex(isPressed);
    // What draws the editor cannot change it.
    if (place >= 0) queueMicrotask(() => this.#choose(place));
  }

  #choose(place: number): void {
    this.#view.dispatch({ effects: setSelectedCompletion(place) });
    acceptCompletion(this.#view);
  }

  destroy(): void {
    this.#view.dom.removeEventListener('mousedown', this.#press, true);
  }
}

export const pressedOption = ViewPlugin.fromClass(PressedOption);
