import { type FormEvent, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { Checkbox, SettingsPage } from '../../ui/index.ts';
import type { SvnRepository } from '../calls.ts';
import { FormFeet, useStoring } from './form.tsx';
import styles from './settings.module.css';

/** What a commit must have, and whether its message can be changed; and what the person sees whose commit is refused. */
export function Rules({ repository }: { readonly repository: SvnRepository }) {
  const { svn } = useMessages();
  const rules = repository.settings?.commit_rules;
  const [isMandatory, setMandatory] = useState(rules?.is_reference_mandatory ?? false);
  const [mayChange, setMayChange] = useState(rules?.is_commit_message_change_allowed ?? false);
  const storing = useStoring(repository, ['commit_rules']);
  const wish = {
    commit_rules: { is_reference_mandatory: isMandatory, is_commit_message_change_allowed: mayChange },
  };
  const inWords = (given: typeof wish.commit_rules | undefined) =>
    [
      svn.ruleIs(svn.mandatory, given?.is_reference_mandatory ?? false),
      svn.ruleIs(svn.rules.change, given?.is_commit_message_change_allowed ?? false),
    ].join('\n');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void storing.store(wish);
  };
  return (
    <SettingsPage title={svn.pages.rules} words={svn.rules.words}>
      <form className={styles['form']} onSubmit={submit}>
        <Checkbox isSelected={isMandatory} onChange={setMandatory} help={svn.mandatoryHelp}>
          {svn.mandatory}
        </Checkbox>
        <Checkbox isSelected={mayChange} onChange={setMayChange} help={svn.rules.changeHelp}>
          {svn.rules.change}
        </Checkbox>
        <FormFeet
          {...storing}
          written={({ settings }) => ({
            theirs: inWords(settings?.commit_rules),
            mine: inWords(wish.commit_rules),
          })}
          onTheirs={({ settings }) => {
            setMandatory(settings?.commit_rules.is_reference_mandatory ?? false);
            setMayChange(settings?.commit_rules.is_commit_message_change_allowed ?? false);
            storing.takeTheirs();
          }}
          onMine={() => void storing.store(wish, true)}
        />
      </form>
      <section className={styles['section']}>
        <h2 className={styles['sectionName']}>{svn.rules.hooks}</h2>
        <p>{svn.rules.hooksWords}</p>
        <dl className={styles['hooks']}>
          {svn.rules.refusals.map(({ when, words }) => (
            <div key={when}>
              <dt>{when}</dt>
              <dd lang="en">
                <code>{words}</code>
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </SettingsPage>
  );
}
