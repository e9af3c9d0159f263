import type { FormEvent } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { LogInLink } from './LogInLink.tsx'
import { registrationText } from './text.ts'

interface Props {
  /** Nobody can join without a code. */
  isRequired: boolean
  /** From the URL or typed, to fill the field at first; empty if there is none. */
  code: string
  error: string | null
  pending: boolean
  onCode: (code: string) => void
}

export function CodeForm({ isRequired, code, error, pending, onCode }: Props) {
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
      <LogInLink />
    </>
  )
}
