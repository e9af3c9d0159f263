import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import { adminEndpoints, type ManagedAccount } from '../contract.ts'
import { childAccountDialogText } from './child-text.ts'

interface ChildDialogProps {
  account: ManagedAccount
  onDone: (account: ManagedAccount) => void
  onClose: () => void
}

/**
 * Renders a dialog in which an admin marks an account as a child's, changes its guardians, or ends the mark.
 */
export function ChildAccountDialog({ account, onDone, onClose }: ChildDialogProps) {
  const t = useText(childAccountDialogText)
  const { run, dialog } = useIdentityConfirmation()
  const { id, name, child } = account
  const [isEnding, setIsEnding] = useState(false)
  const [handles, setHandles] = useState(() => [0, 1].map((at) => child?.guardians[at]?.handle ?? ''))
  const [endsOn, setEndsOn] = useState(child?.ends_on ?? '')
  const finish = (changed: ManagedAccount) => {
    onClose()
    onDone(changed)
    showToast(<SentenceWithName words={changed.child ? t.saved : t.ended} name={name} />)
  }
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      run(() =>
        callEndpoint(adminEndpoints.markChild, {
          id,
          guardians: handles.map((handle) => handle.trim()).filter(Boolean),
          ends_on: endsOn,
        }),
      ),
    onSuccess: finish,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  const fields = error instanceof ApiError ? error.errors : {}
  return (
    <Dialog
      open
      title={<SentenceWithName words={t.title} name={name} />}
      onClose={onClose}
      className="confirm"
    >
      <form className="child-form" noValidate onSubmit={submit}>
        <p>{t.help}</p>
        {[t.guardian, t.second].map((label, at) => (
          <HandleField
            key={label}
            label={label}
            value={handles[at]!}
            error={at === 0 ? fields.guardians?.[0] : undefined}
            onChange={(handle) => setHandles(handles.with(at, handle))}
          />
        ))}
        <Field
          label={t.endsOn}
          hint={t.endsOnHint}
          type="date"
          value={endsOn}
          error={fields.ends_on?.[0]}
          onChange={({ target }) => setEndsOn(target.value)}
        />
        {!fields.guardians && !fields.ends_on && <SaveError error={error} />}
        <div className="dialog-actions">
          {child && (
            <Button kind="danger" disabled={isPending} onClick={() => setIsEnding(true)}>
              {t.end}
            </Button>
          )}
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button type="submit" kind="primary" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
      {isEnding && (
        <EndDialog
          name={name}
          onConfirm={() => run(() => callEndpoint(adminEndpoints.endChild, { id }))}
          onDone={finish}
          onClose={() => setIsEnding(false)}
        />
      )}
      {dialog}
    </Dialog>
  )
}

interface HandleFieldProps {
  label: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

const HandleField = ({ onChange, ...props }: HandleFieldProps) => (
  <Field
    dir="ltr"
    autoCapitalize="none"
    autoComplete="off"
    spellCheck={false}
    onChange={({ target }) => onChange(target.value)}
    {...props}
  />
)

/**
 * Shows the error of a failed save, if it belongs to no field of the form. Shows nothing if the admin only
 * cancelled the confirmation.
 */
function SaveError({ error }: { error: Error | null }) {
  const formatError = useErrorFormatter()
  if (!error || error instanceof ActionCancelledError) return null
  return <Notice kind="error">{formatError(error)}</Notice>
}

interface EndDialogProps {
  name: string
  onConfirm: () => Promise<ManagedAccount>
  onDone: (account: ManagedAccount) => void
  onClose: () => void
}

/**
 * Renders a dialog that asks the admin whether the account should no longer be marked as a child's account.
 */
function EndDialog({ name, ...actions }: EndDialogProps) {
  const t = useText(childAccountDialogText)
  return (
    <ConfirmDialog
      title={<SentenceWithName words={t.endTitle} name={name} />}
      confirmLabel={t.end}
      isDestructive
      {...actions}
    >
      {t.endHelp}
    </ConfirmDialog>
  )
}
