import type { FormEvent } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { LogInLinkForMembers } from './LogInLinkForMembers.tsx'
import { registrationText } from './text.ts'

interface InvitationCodeFormProps {
  /** Whether nobody can join without a code. */
  isRequired: boolean
  /** The code that the server refused, from the address or typed; an empty text before the first one. */
  code: string
  error: string | null
  pending: boolean
  onCode: (code: string) => void
}

/** Takes the code of an invitation, and says so if the community needs one. */
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
