import type { FormEvent } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { LogInLinkForMembers } from './LogInLinkForMembers.tsx'
import { registrationText } from './text.ts'

interface InvitationCodeFormProps {
  /** Whether nobody can join without an invitation code. */
  isRequired: boolean
  /**
   * The newest invitation code, from the URL or typed, with which the field is filled at first; empty if
   * there is none.
   */
  code: string
  error: string | null
  pending: boolean
  onCode: (code: string) => void
}

/**
 * Renders the form for the code of an invitation. The form says so if nobody can join without an invitation.
 */
export function InvitationCodeForm({ isRequired, code, error, pending, onCode }: InvitationCodeFormProps) {
  const t = useText(registrationText)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('invitation')).trim()
    if (typed && !pending) onCode(typed)
  }
  return (
    <>
      <form className="card alone form-card" noValidate onSubmit={submit}>
        {isRequired && <p>{t.invitationNeeded}</p>}
        <p className="text-soft">{isRequired ? t.invitationNeededHelp : t.codeHelp}</p>
        <Field
          label={t.code}
          error={error}
          name="invitation"
          defaultValue={code}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
        />
        <Button kind="primary" fullWidth type="submit" pending={pending}>
          {t.continue}
        </Button>
      </form>
      <LogInLinkForMembers />
    </>
  )
}
