import { Copy } from 'lucide-react'
import { callEndpoint } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type Scheduled, scheduledEndpoints } from '../contract.ts'
import { placeFor } from './give-back.ts'
import { scheduledText } from './page-text.ts'

interface Props {
  me: number
  scheduled: Scheduled
  /** Gets what to say. */
  onDone: (words: string) => (answer: { count: number }) => void
  onClose: () => void
}

export function RemoveDialog({ me, scheduled, onDone, onClose }: Props) {
  const t = useText(scheduledText)
  const { id, text } = scheduled
  const giveBack = placeFor(me, scheduled)
  return (
    <ConfirmDialog
      title={t.removeAsk}
      confirmLabel={t.remove.replace('…', '')}
      isDestructive
      onConfirm={() => callEndpoint(scheduledEndpoints.cancel, { id })}
      onDone={(answer) => {
        if (text) giveBack?.(text)
        onDone(text && giveBack ? t.givenBack : t.removed)(answer)
      }}
      onClose={onClose}
    >
      {!text && t.removeRestHelp}
      {text && (giveBack ? t.removeHelp : t.removeAllHelp)} {text && !giveBack && <CopyButton text={text} />}
    </ConfirmDialog>
  )
}

function CopyButton({ text }: { text: string }) {
  const t = useText(scheduledText)
  const copy = () =>
    copyText(text).then(
      () => showToast(t.copied),
      () => showToast(t.copyFailed, { kind: 'error' }),
    )
  return (
    <Button small icon={Copy} onClick={copy}>
      {t.copy}
    </Button>
  )
}
