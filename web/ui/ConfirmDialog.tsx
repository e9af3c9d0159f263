import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'

const confirmText = defineTexts({ en: { cancel: 'Cancel' }, ja: { cancel: 'キャンセル' } })

/**
 * The error of an action that the person has cancelled meanwhile, such as by closing the dialog that asks who
 * they are. No page and no dialog shows a message for it.
 */
export class ActionCancelledError extends Error {}

interface ConfirmProps<T> {
  title: ReactNode
  confirmLabel: string
  /** Whether the button that confirms is red, as for actions that cannot be undone or that block somebody. */
  isDestructive?: boolean
  onConfirm: () => Promise<T>
  onDone?: (answer: T) => void
  onClose: () => void
  children: ReactNode
}

/**
 * Renders a dialog that asks before it runs an action. If the action fails, the dialog stays open and shows
 * the error.
 */
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
  const explain = useErrorFormatter()
  const { mutate, error, isPending } = useMutation({
    mutationFn: onConfirm,
    onSuccess: (answer) => {
      onClose()
      onDone?.(answer)
    },
    onError: (error) => isErrorWithStatus(error, 401) && showLogInPromptToast(),
  })
  return (
    <Dialog open title={title} onClose={onClose} className="confirm">
      <p>{children}</p>
      {error && !(error instanceof ActionCancelledError) && <Notice kind="error">{explain(error)}</Notice>}
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
