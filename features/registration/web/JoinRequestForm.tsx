import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { countCodePoints } from '#core/unicode.ts'
import { signUpLogInAndProfileText } from '#features/people/web/account-text.ts'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ApiError, callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field, TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { joinRequestEndpoints, MAX_JOIN_ANSWER_LENGTH } from '../join-request-contract.ts'
import { joinRequestText } from './join-request-text.ts'
import { LogInLinkForMembers } from './LogInLinkForMembers.tsx'

async function sendJoinRequest(form: FormData) {
  const [name, email, password, answer] = ['name', 'email', 'password', 'answer'].map((field) =>
    String(form.get(field)),
  ) as [string, string, string, string]
  await requestCsrfTokenCookie()
  return callEndpoint(joinRequestEndpoints.create, { name, email, password, answer })
}

interface JoinRequestFormProps {
  /** The question that the admins ask people who want to join; null for the standard question. */
  question: string | null
  onSent: (token: string) => void
}

/** Renders the form with which a person asks the admins for an account. */
export function JoinRequestForm({ question, onSent }: JoinRequestFormProps) {
  const t = useText(joinRequestText)
  const account = useText(signUpLogInAndProfileText)
  const explain = useErrorFormatter()
  const [answer, setAnswer] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: sendJoinRequest,
    onSuccess: ({ token }) => onSent(token),
    onError: () => focusFirstMatchOnceRendered('[aria-invalid="true"]'),
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
          hint={
            countCodePoints(answer.trim()) > MAX_JOIN_ANSWER_LENGTH
              ? t.tooLong(MAX_JOIN_ANSWER_LENGTH)
              : undefined
          }
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
      <LogInLinkForMembers />
    </>
  )
}
