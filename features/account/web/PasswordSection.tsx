import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { formatEmailOrElseHandleOfMember, type Me } from '#features/people/contract.ts'
import { NewPasswordField } from '#features/people/web/NewPasswordField.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints } from '../contract.ts'
import { AccountPageSectionCard } from './AccountPageSectionCard.tsx'
import { accountPageText } from './text.ts'

/**
 * Renders the section of the account page with the form that changes the password. The form is emptied after
 * a change.
 */
export function PasswordSection({ me }: { me: Me }) {
  const t = useText(accountPageText)
  const formatError = useErrorFormatter()
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
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      focusFirstMatchOnceRendered('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(new FormData(event.currentTarget))
  }
  const wrong = error instanceof ApiError ? error.errors : {}
  const isOtherError = error && !isErrorWithStatus(error, 401) && !wrong.current_password && !wrong.password
  return (
    <AccountPageSectionCard title={t.passwordTitle} help={t.passwordHelp}>
      <form ref={form} noValidate onSubmit={submit}>
        {/* This hidden field tells password managers to which account the new password belongs. */}
        <input
          type="hidden"
          name="username"
          autoComplete="username"
          value={formatEmailOrElseHandleOfMember(me)}
          readOnly
        />
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
    </AccountPageSectionCard>
  )
}
