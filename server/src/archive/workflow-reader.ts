import {
  attributeOf,
  childOf,
  childrenOf,
  isTrue,
  listedIn,
  textOf,
  type XmlElement,
} from '../kernel/xml.ts';
import {
  comparators,
  noneValue,
  type PostAction,
  type Rules,
  type Transition,
  type Workflow,
} from '../trackers/index.ts';
import type { DraftNumbers } from './draft-numbers.ts';
import type { DraftField } from './form-reader.ts';
import { warnOfGroup } from './permission-reader.ts';

type Settings = Pick<Transition, 'groups' | 'notEmptyIds' | 'isCommentRequired' | 'actions'>;

/** Reads how artifacts of a tracker may change. */
export class WorkflowReader {
  readonly #numbers: DraftNumbers;
  readonly #fields: ReadonlyMap<number, DraftField>;

  constructor(numbers: DraftNumbers, fields: readonly DraftField[]) {
    this.#numbers = numbers;
    this.#fields = new Map(fields.map((field) => [field.id, field]));
  }

  #fieldsIn(parent: XmlElement, name: string): number[] {
    return childrenOf(parent, name).flatMap((element) => this.#numbers.field(element) ?? []);
  }

  /** What the type of the field understands; an archive of another platform names clearing and the present by numbers. */
  #setting(element: XmlElement, fieldId: number): string | number | undefined {
    const dates: Readonly<Record<string, string>> = { '1': '', '2': 'current' };
    const value = dates[attributeOf(element, 'valuetype') ?? ''] ?? attributeOf(element, 'value');
    return this.#fields.get(fieldId)?.type.workflow?.setting(value);
  }

  #action(element: XmlElement): PostAction[] {
    const [fieldId] = this.#fieldsIn(element, 'field_id');
    if (/^postaction_field_/.test(element.name)) {
      const value = fieldId === undefined ? undefined : this.#setting(element, fieldId);
      if (fieldId !== undefined && value !== undefined) return [{ type: 'set_field_value', fieldId, value }];
    } else if (element.name === 'postaction_ci_build') {
      const url = attributeOf(element, 'job_url') ?? '';
      if (/^https?:\/\/.+/.test(url)) return [{ type: 'run_job', url }];
    } else if (element.name === 'postaction_frozen_fields') {
      const fieldIds = this.#fieldsIn(element, 'field_id');
      if (fieldIds.length > 0) return [{ type: 'frozen_fields', fieldIds }];
    } else if (element.name === 'postaction_hidden_fieldsets') {
      const fieldsetIds = this.#fieldsIn(element, 'fieldset_id');
      if (fieldsetIds.length > 0) return [{ type: 'hidden_fieldsets', fieldsetIds }];
    }
    this.#numbers.warn('skipped_element', element, `The post action ${element.name} cannot be taken over.`);
    return [];
  }

  /** Nobody who is known means everybody in the project. */
  #groups(lines: readonly XmlElement[]): number[] {
    return lines.flatMap((line) => {
      const name = attributeOf(line, 'ugroup') ?? '';
      const group = this.#numbers.group(name);
      if (group === undefined) warnOfGroup(this.#numbers, line, name);
      return group ?? [];
    });
  }

  /** Old archives have the groups beside the conditions. */
  #settings(element: XmlElement): Settings {
    const conditions = listedIn(element, 'conditions', 'condition');
    const of = (type: string) => conditions.filter((condition) => attributeOf(condition, 'type') === type);
    const lines = [
      ...listedIn(element, 'permissions', 'permission'),
      ...of('perms').flatMap((condition) => listedIn(condition, 'permissions', 'permission')),
    ];
    const actions = childrenOf(element, 'postactions').flatMap(({ children }) => children);
    return {
      groups: this.#groups(lines),
      notEmptyIds: of('notempty').flatMap((condition) => this.#fieldsIn(condition, 'field')),
      isCommentRequired: of('commentnotempty').some((condition) =>
        isTrue(attributeOf(condition, 'is_comment_required')),
      ),
      actions: actions.flatMap((action) => this.#action(action)).map((action) => ({ ...action, id: 0 })),
    };
  }

  /** The value that a change begins with: null for a new artifact, undefined for one that there is not. */
  #origin(element: XmlElement): number | null | undefined {
    const from = childOf(element, 'from_id');
    if (from === undefined || attributeOf(from, 'REF') === 'null') return null;
    const value = this.#numbers.item(from);
    if (value === undefined)
      this.#numbers.warn('unknown_reference', from, 'A transition begins with a value that does not exist.');
    return value;
  }

  #transition(element: XmlElement, target: XmlElement | undefined, settings: Settings): Transition[] {
    const toId = target && this.#numbers.item(target);
    const fromId = this.#origin(element);
    if (toId === undefined || fromId === undefined) return [];
    return [{ id: 0, fromId, toId, ...settings }];
  }

  #advanced(element: XmlElement): Transition[] {
    return listedIn(element, 'transitions', 'transition').flatMap((transition) =>
      this.#transition(transition, childOf(transition, 'to_id'), this.#settings(transition)),
    );
  }

  #simple(element: XmlElement): Transition[] {
    return listedIn(element, 'states', 'state').flatMap((state) => {
      const settings = this.#settings(state);
      return listedIn(state, 'transitions', 'transition').flatMap((transition) =>
        this.#transition(transition, childOf(state, 'to_id'), settings),
      );
    });
  }

  workflow(tracker: XmlElement): Workflow | undefined {
    const simple = childOf(tracker, 'simple_workflow');
    const workflow = simple ?? childOf(tracker, 'workflow');
    const field = workflow && childOf(workflow, 'field_id');
    const fieldId = this.#numbers.field(field);
    if (workflow === undefined || fieldId === undefined) return undefined;
    const found = simple === undefined ? this.#advanced(workflow) : this.#simple(workflow);
    // A repeated transition would be the same one.
    const once = new Map(found.map((transition) => [`${transition.fromId} ${transition.toId}`, transition]));
    return {
      fieldId,
      isUsed: isTrue(textOf(workflow, 'is_used')),
      isLegacy: false,
      isAdvanced: simple === undefined,
      transitions: [...once.values()],
      states: new Map(),
    };
  }

  #dateRule(element: XmlElement): Rules['dates'][number][] {
    const sourceFieldId = this.#numbers.field(childOf(element, 'source_field'));
    const targetFieldId = this.#numbers.field(childOf(element, 'target_field'));
    const written = childOf(element, 'comparator');
    const comparator = comparators.find((known) => known === (written && attributeOf(written, 'type')));
    if (sourceFieldId === undefined || targetFieldId === undefined || comparator === undefined) return [];
    return [{ sourceFieldId, targetFieldId, comparator }];
  }

  #ruleValue(element: XmlElement | undefined): number | undefined {
    if (element === undefined) return undefined;
    return isTrue(attributeOf(element, 'is_none')) ? noneValue : this.#numbers.item(element);
  }

  #listRule(element: XmlElement): Rules['lists'][number][] {
    const sourceFieldId = this.#numbers.field(childOf(element, 'source_field'));
    const targetFieldId = this.#numbers.field(childOf(element, 'target_field'));
    const sourceValueId = this.#ruleValue(childOf(element, 'source_value'));
    const targetValueId = this.#ruleValue(childOf(element, 'target_value'));
    if (sourceFieldId === undefined || targetFieldId === undefined) return [];
    if (sourceValueId === undefined || targetValueId === undefined) return [];
    return [{ sourceFieldId, sourceValueId, targetFieldId, targetValueId }];
  }

  /** List rules stood directly in the tracker once. */
  rules(tracker: XmlElement): Rules {
    const groups = childrenOf(tracker, 'rules');
    const lists = [
      ...groups.flatMap((rules) => listedIn(rules, 'list_rules', 'rule')),
      ...listedIn(tracker, 'dependencies', 'rule'),
    ];
    return {
      dates: groups
        .flatMap((rules) => listedIn(rules, 'date_rules', 'rule'))
        .flatMap((rule) => this.#dateRule(rule)),
      lists: lists.flatMap((rule) => this.#listRule(rule)),
      dependencies: [],
    };
  }
}
