/** Editors and choosers of files take what is dropped on them; other places that take files say so themselves. */
const takers = '[contenteditable], input[type=file]';

const isForNobody = ({ dataTransfer, defaultPrevented, target }: DragEvent) =>
  !defaultPrevented &&
  dataTransfer?.types.includes('Files') === true &&
  !(target instanceof Element && target.closest(takers) !== null);

/** A file that is dropped beside its place stays where it was: browsers would leave the page for it, and what is on its way there. */
export function keepDroppedFilesOut(): void {
  window.addEventListener('dragover', (event) => {
    if (!isForNobody(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  });
  window.addEventListener('drop', (event) => {
    if (isForNobody(event)) event.preventDefault();
  });
}
