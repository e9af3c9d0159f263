import { Clock } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import type { SendLaterProps } from '#web/send-later.ts'
import { Button } from '#web/ui/Button.tsx'
import { sendLaterText } from './text.ts'

const SendLaterDialog = lazyWithRetry(() => import('./SendLaterDialog.tsx'))

export default function SendLater({ disabled, ...rest }: SendLaterProps) {
  const t = useText(sendLaterText)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        kind="ghost"
        iconOnly
        className="extra send-later"
        icon={Clock}
        label={t.sendLater}
        title={t.sendLater}
        disabled={disabled}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <SendLaterDialog {...rest} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
