import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { MAX_GUARDIANS } from '#features/guardians/contract.ts'
import { PeoplePicker, type PickedPerson } from '#features/people/web/PeoplePicker.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError, ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { SentenceWithName } from '#web/ui/UserText.tsx'
import { adminEndpoints, type ManagedAccount } from '../contract.ts'
import { childText } from './text.ts'

interface Props {
  account: ManagedAccount
  onDone: (account: ManagedAccount) => void
  onClose: () => void
}

export function ChildDialog({ account, onDone, onClose }: Props) {
  const t = useText(childText)
  const { run, dialog } = useConfirmation()
  const { id, name, child } = account
  const [isEnding, setIsEnding] = useState(false)
  const [guardians, setGuardians] = useState<readonly PickedPerson[]>(child?.guardians ?? [])
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
          guardians: guardians.flatMap(({ handle }) => handle ?? []),
          ends_on: endsOn,
        }),
      ),
    onSuccess: finish,
  })
  const [isMissing, setMissing] = useState(false)
  const date = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setMissing(!endsOn)
    if (!endsOn) date.current?.focus()
    else if (!isPending) mutate()
  }
  const fields = error instanceof ApiError ? error.errors : {}
  const wrongDate = isMissing && !endsOn ? t.endsOnMissing : fields.ends_on?.[0]
  return (
    <Dialog
      open
      title={<SentenceWithName words={t.title} name={name} />}
      onClose={onClose}
      className="confirm"
    >
      <form className="child-form" noValidate onSubmit={submit}>
        <p>{t.help}</p>
        <PeoplePicker
          label={t.guardians}
          hint={t.guardiansHint}
          error={fields.guardians?.[0]}
          chosen={guardians}
          max={MAX_GUARDIANS}
          except={id}
          onChange={setGuardians}
        />
        <Field
          ref={date}
          label={t.endsOn}
          hint={t.endsOnHint}
          type="date"
          required
          value={endsOn}
          error={
            wrongDate && (
              <>
                {wrongDate}
                <br />
                <span className="hint">{t.endsOnHint}</span>
              </>
            )
          }
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

/** Shows nothing for errors of a field, and if the admin only cancelled the confirmation. */
function SaveError({ error }: { error: Error | null }) {
  const formatError = useErrorText()
  if (!error || error instanceof CancelledError) return null
  return <Notice kind="error">{formatError(error)}</Notice>
}

interface EndDialogProps {
  name: string
  onConfirm: () => Promise<ManagedAccount>
  onDone: (account: ManagedAccount) => void
  onClose: () => void
}

function EndDialog({ name, ...actions }: EndDialogProps) {
  const t = useText(childText)
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
