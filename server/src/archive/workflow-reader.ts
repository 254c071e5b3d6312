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
    return childrenOf(parent, name).flatMap((given) => this.#numbers.field(given) ?? []);
  }

  /** What the type of the field understands; an archive of another platform names clearing and the present by numbers. */
  #setting(given: XmlElement, fieldId: number): string | number | undefined {
    const dates: Readonly<Record<string, string>> = { '1': '', '2': 'current' };
    const value = dates[attributeOf(given, 'valuetype') ?? ''] ?? attributeOf(given, 'value');
    return this.#fields.get(fieldId)?.type.workflow?.setting(value);
  }

  #action(given: XmlElement): PostAction[] {
    const [fieldId] = this.#fieldsIn(given, 'field_id');
    if (/^postaction_field_/.test(given.name)) {
      const value = fieldId === undefined ? undefined : this.#setting(given, fieldId);
      if (fieldId !== undefined && value !== undefined) return [{ type: 'set_field_value', fieldId, value }];
    } else if (given.name === 'postaction_ci_build') {
      const url = attributeOf(given, 'job_url') ?? '';
      if (/^https?:\/\/.+/.test(url)) return [{ type: 'run_job', url }];
    } else if (given.name === 'postaction_frozen_fields') {
      const fieldIds = this.#fieldsIn(given, 'field_id');
      if (fieldIds.length > 0) return [{ type: 'frozen_fields', fieldIds }];
    } else if (given.name === 'postaction_hidden_fieldsets') {
      const fieldsetIds = this.#fieldsIn(given, 'fieldset_id');
      if (fieldsetIds.length > 0) return [{ type: 'hidden_fieldsets', fieldsetIds }];
    }
    this.#numbers.warn('skipped_element', given, `The post action ${given.name} cannot be taken over.`);
    return [];
  }

  /** Nobody who is known means everybody in the project. */
  #groups(given: readonly XmlElement[]): number[] {
    return given.flatMap((line) => {
      const name = attributeOf(line, 'ugroup') ?? '';
      const group = this.#numbers.group(name);
      if (group === undefined) warnOfGroup(this.#numbers, line, name);
      return group ?? [];
    });
  }

  /** Old archives have the groups beside the conditions. */
  #settings(given: XmlElement): Settings {
    const conditions = listedIn(given, 'conditions', 'condition');
    const of = (type: string) => conditions.filter((condition) => attributeOf(condition, 'type') === type);
    const lines = [
      ...listedIn(given, 'permissions', 'permission'),
      ...of('perms').flatMap((condition) => listedIn(condition, 'permissions', 'permission')),
    ];
    const actions = childrenOf(given, 'postactions').flatMap(({ children }) => children);
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
  #origin(given: XmlElement): number | null | undefined {
    const from = childOf(given, 'from_id');
    if (from === undefined || attributeOf(from, 'REF') === 'null') return null;
    const value = this.#numbers.item(from);
    if (value === undefined)
      this.#numbers.warn('unknown_reference', from, 'A transition begins with a value that does not exist.');
    return value;
  }

  #transition(given: XmlElement, target: XmlElement | undefined, settings: Settings): Transition[] {
    const toId = target && this.#numbers.item(target);
    const fromId = this.#origin(given);
    if (toId === undefined || fromId === undefined) return [];
    return [{ id: 0, fromId, toId, ...settings }];
  }

  #advanced(given: XmlElement): Transition[] {
    return listedIn(given, 'transitions', 'transition').flatMap((transition) =>
      this.#transition(transition, childOf(transition, 'to_id'), this.#settings(transition)),
    );
  }

  #simple(given: XmlElement): Transition[] {
    return listedIn(given, 'states', 'state').flatMap((state) => {
      const settings = this.#settings(state);
      return listedIn(state, 'transitions', 'transition').flatMap((transition) =>
        this.#transition(transition, childOf(state, 'to_id'), settings),
      );
    });
  }

  workflow(tracker: XmlElement): Workflow | undefined {
    const simple = childOf(tracker, 'simple_workflow');
    const given = simple ?? childOf(tracker, 'workflow');
    const field = given && childOf(given, 'field_id');
    const fieldId = this.#numbers.field(field);
    if (given === undefined || fieldId === undefined) return undefined;
    const found = simple === undefined ? this.#advanced(given) : this.#simple(given);
    // A repeated transition would be the same one.
    const once = new Map(found.map((transition) => [`${transition.fromId} ${transition.toId}`, transition]));
    return {
      fieldId,
      isUsed: isTrue(textOf(given, 'is_used')),
      isLegacy: false,
      isAdvanced: simple === undefined,
      transitions: [...once.values()],
      states: new Map(),
    };
  }

  #dateRule(given: XmlElement): Rules['dates'][number][] {
    const sourceFieldId = this.#numbers.field(childOf(given, 'source_field'));
    const targetFieldId = this.#numbers.field(childOf(given, 'target_field'));
    const written = childOf(given, 'comparator');
    const comparator = comparators.find((known) => known === (written && attributeOf(written, 'type')));
    if (sourceFieldId === undefined || targetFieldId === undefined || comparator === undefined) return [];
    return [{ sourceFieldId, targetFieldId, comparator }];
  }

  #ruleValue(given: XmlElement | undefined): number | undefined {
    if (given === undefined) return undefined;
    return isTrue(attributeOf(given, 'is_none')) ? noneValue : this.#numbers.item(given);
  }

  #listRule(given: XmlElement): Rules['lists'][number][] {
    const sourceFieldId = this.#numbers.field(childOf(given, 'source_field'));
    const targetFieldId = this.#numbers.field(childOf(given, 'target_field'));
    const sourceValueId = this.#ruleValue(childOf(given, 'source_value'));
    const targetValueId = this.#ruleValue(childOf(given, 'target_value'));
    if (sourceFieldId === undefined || targetFieldId === undefined) return [];
    if (sourceValueId === undefined || targetValueId === undefined) return [];
    return [{ sourceFieldId, sourceValueId, targetFieldId, targetValueId }];
  }

  /** List rules stood directly in the tracker once. */
  rules(tracker: XmlElement): Rules {
    const given = childrenOf(tracker, 'rules');
    const lists = [
      ...given.flatMap((rules) => listedIn(rules, 'list_rules', 'rule')),
      ...listedIn(tracker, 'dependencies', 'rule'),
    ];
    return {
      dates: given
        .flatMap((rules) => listedIn(rules, 'date_rules', 'rule'))
        .flatMap((rule) => this.#dateRule(rule)),
      lists: lists.flatMap((rule) => this.#listRule(rule)),
      dependencies: [],
    };
  }
}
