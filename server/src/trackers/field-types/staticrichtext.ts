import { line, valuelessElement } from '../field-kit/index.ts';
import { renderText } from '../text/index.ts';

const asWritten = line('', 65_535);

/** Words that stand in the form. */
export const staticrichtextElement = valuelessElement('staticrichtext', {
  kind: 'static',
  parents: ['column', 'fieldset', null],
  properties: {
    static_value: {
      initial: '',
      // Pages show it as HTML, so that nothing unsafe may ever be kept.
      check: (value, name) => renderText(String(asWritten.check(value, name)), 'html', () => undefined),
    },
  },
});
