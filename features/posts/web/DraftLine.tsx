import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { composerText } from './composer-text.ts'

interface DraftLineProps {
  /** Whether the draft was saved; null where there is none. */
  kept: boolean | null
  /** The shortcut that posts; empty where there is no keyboard. */
  keys: string
  sending: boolean
  onDiscard: () => void
}

/** Says whether the draft is saved, and offers to discard it. */
export function DraftLine({ kept, keys, sending, onDiscard }: DraftLineProps) {
  const t = useText(composerText)
  const [asking, setAsking] = useState(false)
  const discard = () => {
    // The dialog moves the focus when it closes, so it has to be closed before onDiscard moves the focus.
    flushSync(() => setAsking(false))
    onDiscard()
  }
  return (
    <div className="about-draft settle">
      <p className="meta">
        {kept !== null && (kept ? t.draftSaved : t.draftNotSaved)} {keys}
      </p>
      {kept !== null && !sending && (
        <Button kind="bare" small onClick={() => setAsking(true)}>
          {t.discard}
        </Button>
      )}
      <Dialog open={asking} title={t.discardAsk} onClose={() => setAsking(false)}>
        <p>{t.discardHelp}</p>
        <div className="choose">
          <Button onClick={() => setAsking(false)}>{t.keep}</Button>
          <Button kind="sure" onClick={discard}>
            {t.discard}
          </Button>
        </div>
      </Dialog>
    </div>
  )
}
