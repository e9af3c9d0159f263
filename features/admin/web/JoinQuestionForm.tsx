import { type FormEvent, useState } from 'react'
import { MAX_JOIN_QUESTION_LENGTH } from '#core/community-settings-contract.ts'
import { joinRequestText } from '#features/registration/web/join-request-text.ts'
import { whoCanJoinText } from '#features/registration/web/settings-text.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { useCommunitySetting } from './useCommunitySetting.ts'

/**
 * Renders the form for the question that people answer when they ask to join. Null stands for the standard
 * question.
 */
export function JoinQuestionForm({ saved }: { saved: string | null }) {
  const t = useText(whoCanJoinText)
  const { standardQuestion } = useText(joinRequestText)
  const [, save, dialog] = useCommunitySetting('join_question', saved)
  const [draft, setDraft] = useState(saved ?? '')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save(draft.trim() || null)
  }
  return (
    <form noValidate onSubmit={submit}>
      <TextAreaField
        label={t.question}
        hint={t.questionHelp(MAX_JOIN_QUESTION_LENGTH, standardQuestion)}
        name="join_question"
        dir="auto"
        maxLength={MAX_JOIN_QUESTION_LENGTH}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="form-actions">
        <Button type="submit">{t.saveQuestion}</Button>
      </div>
      {dialog}
    </form>
  )
}
