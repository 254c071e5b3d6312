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
      check: (value, name) => asWritten.check(value, name),
      // Pages show it as HTML. What was written is kept whole, for archives and for what will be safe one day.
      show: (value) => renderText(String(value ?? ''), 'html', () => undefined),
    },
  },
});
