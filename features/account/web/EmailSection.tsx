import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { VerifyEmailNotice } from '#features/people/web/VerifyEmailNotice.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { accountEndpoints } from '../contract.ts'
import { SectionCard } from './SectionCard.tsx'
import { sectionQuery } from './section-query.ts'
import { accountPageText } from './text.ts'
import { useConfirmation } from './useConfirmation.tsx'

const key = [accountEndpoints.pendingEmail.path]

export function EmailSection({ me }: { me: Me }) {
  const t = useText(accountPageText)
  const [isEditing, setEditing] = useState(false)
  const { data } = useQuery(sectionQuery(accountEndpoints.pendingEmail))
  return (
    <SectionCard id="email" title={t.emailTitle}>
      {me.email === null ? (
        <p>{t.noEmail(`@${me.handle}`)}</p>
      ) : (
        <p className="account-value">
          <span>{me.email}</span>
          <span className="text-meta">{me.email_verified_at ? t.emailVerified : t.emailNotVerified}</span>
        </p>
      )}
      <VerifyEmailNotice />
      {data?.pending && (
        <Notice kind="warning">
          {pageData.app.mail ? t.emailPending(data.pending) : t.emailPendingWithoutMail(data.pending)}
        </Notice>
      )}
      {isEditing ? (
        <EmailForm onClose={() => setEditing(false)} />
      ) : (
        <div className="form-actions">
          {data?.pending && <CancelEmailChangeButton />}
          <Button onClick={() => setEditing(true)}>
            {data?.pending ? t.useAnotherEmail : me.email === null ? t.addEmail : t.changeEmail}
          </Button>
        </div>
      )}
    </SectionCard>
  )
}

function CancelEmailChangeButton() {
  const t = useText(accountPageText)
  const formatError = useErrorText()
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callEndpoint(accountEndpoints.cancelEmailChange, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      else showToast(formatError(failure), { key: 'account saved', kind: 'error' })
    },
  })
  return (
    <Button pending={isPending} onClick={() => mutate()}>
      {t.cancelEmailChange}
    </Button>
  )
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const t = useText(accountPageText)
  const formatError = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (email: string) => run(() => callEndpoint(accountEndpoints.changeEmail, { email })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: key })
      onClose()
    },
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      focusFirst('[aria-invalid="true"]')
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate(String(new FormData(event.currentTarget).get('email')))
  }
  const wrong = error instanceof ApiError ? error.errors.email?.[0] : undefined
  const isOtherError = error && !wrong && !hasStatus(error, 401) && !(error instanceof CancelledError)
  return (
    <>
      <form noValidate onSubmit={submit}>
        <Field label={t.newEmail} name="email" type="email" autoComplete="email" autoFocus error={wrong} />
        {isOtherError && <Notice kind="error">{formatError(error)}</Notice>}
        <div className="form-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.sendLink}
          </Button>
        </div>
      </form>
      {dialog}
    </>
  )
}
