import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { countCodePoints } from '#core/text/unicode.ts'
import { accountText } from '#features/people/web/account-text.ts'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ReadingField } from '#features/people/web/Reading.tsx'
import { ApiError, callEndpoint, requestCsrf } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field, TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { joinEndpoints, MAX_ANSWER_LENGTH } from '../contract.ts'
import { LogInLink } from './LogInLink.tsx'
import { joinRequestText } from './text.ts'

async function sendJoinRequest(form: FormData) {
  const [name, email, password, answer] = ['name', 'email', 'password', 'answer'].map((field) =>
    String(form.get(field)),
  ) as [string, string, string, string]
  const reading = form.get('reading') as string | null
  await requestCsrf()
  return callEndpoint(joinEndpoints.create, { name, email, password, answer, ...(reading && { reading }) })
}

interface Props {
  /** Null for the standard question. */
  question: string | null
  onSent: (token: string) => void
}

export function JoinRequestForm({ question, onSent }: Props) {
  const t = useText(joinRequestText)
  const account = useText(accountText)
  const lang = useLang()
  const explain = useErrorText()
  const [answer, setAnswer] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: sendJoinRequest,
    onSuccess: ({ token }) => onSent(token),
    onError: () => focusFirst('[aria-invalid="true"]'),
  })
  const wrong = error instanceof ApiError ? error.errors : {}
  const general = error && !Object.keys(wrong).length && explain(error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  return (
    <>
      <form className="card alone form-card" noValidate onSubmit={submit}>
        {general && <Notice kind="error">{general}</Notice>}
        <p>{t.help}</p>
        <Field
          label={account.userName}
          hint={account.userNameHint}
          error={wrong.name?.[0]}
          name="name"
          autoComplete="name"
          dir="auto"
        />
        {lang === 'ja' && <ReadingField error={wrong.reading?.[0]} />}
        <Field
          label={account.email}
          error={wrong.email?.[0]}
          name="email"
          type="email"
          autoComplete="email"
        />
        <NewPasswordField label={account.password} error={wrong.password?.[0]} />
        <TextAreaField
          label={question === null ? t.standardQuestion : <UserText>{question}</UserText>}
          hint={countCodePoints(answer.trim()) > MAX_ANSWER_LENGTH ? t.tooLong(MAX_ANSWER_LENGTH) : undefined}
          error={wrong.answer?.[0]}
          name="answer"
          dir="auto"
          value={answer}
          onChange={(event) => setAnswer(event.target.value)}
        />
        <Button kind="primary" fullWidth type="submit" pending={isPending}>
          {t.send}
        </Button>
      </form>
      <LogInLink />
    </>
  )
}
