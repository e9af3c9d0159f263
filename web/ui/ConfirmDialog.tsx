import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'

const confirmText = defineTexts({ en: { cancel: 'Cancel' }, ja: { cancel: 'キャンセル' } })

/** For example, the dialog that asks who they are was closed. Nobody shows a message for it. */
export class CancelledError extends Error {}

interface ConfirmProps<T> {
  title: ReactNode
  confirmLabel: string
  /** Red, for actions that cannot be undone or block somebody. */
  isDestructive?: boolean
  onConfirm: () => Promise<T>
  onDone?: (answer: T) => void
  onClose: () => void
  children: ReactNode
}

/** If the action fails, the dialog stays open and shows the error. */
export function ConfirmDialog<T>({
  title,
  confirmLabel,
  isDestructive,
  onConfirm,
  onDone,
  onClose,
  children,
}: ConfirmProps<T>) {
  const t = useText(confirmText)
  const explain = useErrorText()
  const { mutate, error, isPending } = useMutation({
    mutationFn: onConfirm,
    onSuccess: (answer) => {
      onClose()
      onDone?.(answer)
    },
    onError: (error) => hasStatus(error, 401) && showLogInToast(),
  })
  return (
    <Dialog open title={title} onClose={onClose} className="confirm">
      <p>{children}</p>
      {error && !(error instanceof CancelledError) && <Notice kind="error">{explain(error)}</Notice>}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button
          kind={isDestructive ? 'danger-filled' : 'primary'}
          pending={isPending}
          onClick={() => mutate()}
        >
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
