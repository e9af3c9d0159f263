import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Group, type SlowModeSeconds, slowModeChoices, slowModeEndpoints } from '../contract.ts'
import { slowModeText } from './text.ts'

export function SlowModeDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useText(slowModeText)
  const explain = useErrorText()
  const { run, dialog } = useConfirmation()
  const [chosen, setChosen] = useState<SlowModeSeconds>(
    slowModeChoices.find((seconds) => seconds === group.slow_mode_seconds) ?? 0,
  )
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => run(() => callEndpoint(slowModeEndpoints.set, { id: group.id, seconds: chosen })),
    onSuccess: ({ message }) => {
      onClose()
      showToast(message)
    },
    onError: (error) => hasStatus(error, 401) && showLogInToast(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  return (
    <Dialog open title={t.title} onClose={onClose} className="confirm">
      <form onSubmit={submit}>
        <p>{t.help}</p>
        <RadioGroup
          label={t.time}
          choices={slowModeChoices.map((seconds) => ({ value: String(seconds), label: t.choice(seconds) }))}
          inputProps={(value) => ({
            checked: String(chosen) === value,
            onChange: () => setChosen(Number(value) as SlowModeSeconds),
          })}
        />
        {error && !(error instanceof CancelledError) && <Notice kind="error">{explain(error)}</Notice>}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {t.save}
          </Button>
        </div>
      </form>
      {dialog}
    </Dialog>
  )
}
