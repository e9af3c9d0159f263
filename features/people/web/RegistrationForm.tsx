import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { ApiError, api, freshToken } from '#web/api.ts'
import { useExplain } from '#web/errors.ts'
import { focusLater } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { useMeChanged } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { people } from '../contract.ts'
import { accountText } from './account-text.ts'
import { NewPasswordField } from './NewPasswordField.tsx'

async function register(form: FormData, setup_code: string | null) {
  const [name, email, password] = ['name', 'email', 'password'].map((field) => String(form.get(field))) as [
    string,
    string,
    string,
  ]
  await freshToken()
  const { message, user } = await api(people.register, {
    name,
    email,
    password,
    password_confirmation: password,
    ...(setup_code && { setup_code }),
  })
  const unknown = {
    is_admin: false,
    handle: null,
    shares_name: false,
    profile_image: null,
    bio: null,
    email_verified_at: null,
  }
  return { message, me: await api(people.me, {}).catch(() => ({ ...unknown, ...user })) }
}

/** The form that creates an account. With a set-up code the account becomes the first admin. */
export function RegistrationForm({ setupCode = null }: { setupCode?: string | null }) {
  const t = useText(accountText)
  const explain = useExplain()
  const changed = useMeChanged()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (form: FormData) => register(form, setupCode),
    onSuccess: ({ me }) => {
      changed(me)
      focusLater('.form-board a')
    },
    onError: () => focusLater('[aria-invalid="true"]'),
  })
  const wrong = error instanceof ApiError ? error.errors : {}
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  if (data)
    return (
      <div className="board alone form-board">
        <Notice kind="good">{data.message}</Notice>
        {data.me.is_admin && (
          <>
            <p>{t.youAreAdmin}</p>
            <ButtonLink full href="/admin/dashboard">
              {t.toAdmin}
            </ButtonLink>
          </>
        )}
        <ButtonLink kind="primary" full href="/">
          {t.toPosts}
        </ButtonLink>
      </div>
    )
  const general = wrong.setup_code?.[0] ?? (error && !Object.keys(wrong).length && explain(error))
  return (
    <>
      <form className="board alone form-board" noValidate onSubmit={submit}>
        {general && <Notice kind="bad">{general}</Notice>}
        <Field
          label={t.userName}
          hint={t.userNameHint}
          error={wrong.name?.[0]}
          name="name"
          autoComplete="name"
          dir="auto"
        />
        <Field label={t.email} error={wrong.email?.[0]} name="email" type="email" autoComplete="email" />
        <NewPasswordField label={t.password} error={wrong.password?.[0]} />
        <Button kind="primary" full type="submit" pending={isPending}>
          {t.register}
        </Button>
      </form>
      <p className="soft form-else">
        {t.already}{' '}
        <Link className="link" href="/login">
          {t.logIn}
        </Link>
      </p>
    </>
  )
}
