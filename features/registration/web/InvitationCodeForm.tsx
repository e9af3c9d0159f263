import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { accountText } from '#features/people/web/account-text.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { registrationText } from './text.ts'

interface InvitationCodeFormProps {
  /** The code that was refused, or ''. */
  code: string
  error: string | null
  pending: boolean
  onCode: (code: string) => void
}

/** Says that the community needs an invitation, and takes its code. */
export function InvitationCodeForm({ code, error, pending, onCode }: InvitationCodeFormProps) {
  const t = useText(registrationText)
  const account = useText(accountText)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = String(new FormData(event.currentTarget).get('invitation')).trim()
    if (typed && !pending) onCode(typed)
  }
  return (
    <>
      <form className="card alone form-card" noValidate onSubmit={submit}>
        <p>{t.invitationNeeded}</p>
        <p className="text-soft">{t.invitationNeededHelp}</p>
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
      <p className="text-soft form-alternative">
        {account.alreadyMember}{' '}
        <Link className="link" href="/login">
          {t.logIn}
        </Link>
      </p>
    </>
  )
}
