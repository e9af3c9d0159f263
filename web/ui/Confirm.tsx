import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { texts, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'

const confirmText = texts({ en: { cancel: 'Cancel' }, ja: { cancel: 'キャンセル' } })

interface ConfirmProps<T> {
  title: ReactNode
  verb: string
  /** The label of the other button; “Cancel” where it is absent. */
  keep?: string
  /** Draws the button red: for something that cannot be taken back, or shuts somebody out. */
  fatal?: boolean
  run: () => Promise<T>
  onDone?: (answer: T) => void
  onClose: () => void
  children: ReactNode
}

/** Asks before it runs something. Stays open and says why when that fails. */
export function Confirm<T>({ title, verb, keep, fatal, run, onDone, onClose, children }: ConfirmProps<T>) {
  const t = useText(confirmText)
  const explain = useExplain()
  const { mutate, error, isPending } = useMutation({
    mutationFn: run,
    onSuccess: (answer) => {
      onClose()
      onDone?.(answer)
    },
    onError: (error) => isHttpError(error, 401) && pleaseLogIn(),
  })
  return (
    <Dialog open title={title} onClose={onClose} className="confirm">
      <p>{children}</p>
      {error && <Notice kind="bad">{explain(error)}</Notice>}
      <div className="choose">
        <Button onClick={onClose}>{keep ?? t.cancel}</Button>
        <Button kind={fatal ? 'sure' : 'primary'} pending={isPending} onClick={() => mutate()}>
          {verb}
        </Button>
      </div>
    </Dialog>
  )
}
