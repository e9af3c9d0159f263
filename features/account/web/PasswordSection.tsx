import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { type Me, nameToLogIn } from '#features/people/contract.ts'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints } from '../contract.ts'
import { SectionCard } from './SectionCard.tsx'
import { accountPageText } from './text.ts'

export function PasswordSection({ me }: { me: Me }) {
  const t = useText(accountPageText)
  const formatError = useErrorText()
  const client = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (data: FormData) =>
      callEndpoint(accountEndpoints.changePassword, {
        current_password: String(data.get('current_password')),
        password: String(data.get('password')),
        password_confirmation: String(data.get('password_confirmation')),
      }),
    onSuccess: ({ message }) => {
      form.current?.reset()
      void client.invalidateQueries({ queryKey: [accountEndpoints.sessions.path] })
      void client.invalidateQueries({ queryKey: [accountEndpoints.securityEvents.path] })
      showToast(message, { key: 'account saved', alert: true })
    },
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      focusFirst('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  const wrong = error instanceof ApiError ? error.errors : {}
  const isOtherError = error && !hasStatus(error, 401) && !wrong.current_password && !wrong.password
  return (
    <SectionCard id="password" title={t.passwordTitle} help={t.passwordHelp}>
      <form ref={form} noValidate onSubmit={submit}>
        {/* Tells password managers to which account the new password belongs. */}
        <input type="hidden" name="username" autoComplete="username" value={nameToLogIn(me)} readOnly />
        <Field
          label={t.currentPassword}
          name="current_password"
          type="password"
          autoComplete="current-password"
          error={wrong.current_password?.[0]}
        />
        <NewPasswordField label={t.newPassword} error={wrong.password?.[0]} />
        <Field
          label={t.repeatPassword}
          name="password_confirmation"
          type="password"
          autoComplete="new-password"
        />
        {isOtherError && <Notice kind="error">{formatError(error)}</Notice>}
        <div className="form-actions">
          <Button kind="primary" type="submit" pending={isPending}>
            {t.changePassword}
          </Button>
        </div>
      </form>
    </SectionCard>
  )
}
