import { useState } from 'react'
import { composerExtras, type ExtraValues } from '#web/composer-extras.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { MAX_MESSAGE_LENGTH } from '../contract.ts'
import { messageText } from './text.ts'
import type { Asking, Composer } from './useComposer.ts'

const offered = composerExtras.filter(({ isForMessages }) => isForMessages)

interface ExtrasProps {
  box: Pick<Composer, 'asking' | 'setAsking' | 'sendExtras'>
  /** Otherwise the field needs the room. */
  isEmpty: boolean
}

/** Buttons that open a dialog, in which a message with a poll is written. */
export default function Extras({ box, isEmpty }: ExtrasProps) {
  const lang = useLang()
  const { asking, setAsking, sendExtras } = box
  // What was written when the dialog was closed, until it is sent.
  const [kept, setKept] = useState<Asking | null>(null)
  return (
    <>
      {isEmpty &&
        offered.map(({ name, label, icon, initial }) => (
          <Button
            key={name}
            kind="ghost"
            iconOnly
            className="extra"
            icon={icon}
            label={label[lang]}
            onClick={() =>
              setAsking(kept && name in kept.extras ? kept : { text: '', extras: { [name]: initial } })
            }
          />
        ))}
      {asking && (
        <ExtraDialog
          begun={asking}
          onSend={(sent) => {
            setKept(null)
            sendExtras(sent)
          }}
          onClose={(written) => {
            setKept(written)
            setAsking(null)
          }}
        />
      )}
    </>
  )
}

interface Props {
  begun: Asking
  onSend: (asking: Asking) => void
  onClose: (written: Asking | null) => void
}

function ExtraDialog({ begun, onSend, onClose }: Props) {
  const t = useText(messageText)
  const lang = useLang()
  const [text, setText] = useState(begun.text)
  const [extras, setExtras] = useState<ExtraValues>(begun.extras)
  const shown = offered.filter(({ name }) => name in extras)
  const isSendable = text.trim() !== ''
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (isSendable) onSend({ text: text.trim(), extras })
  }
  return (
    <Dialog
      open
      title={shown.map(({ label }) => label[lang]).join(' ')}
      onClose={() => onClose({ text, extras })}
    >
      <form onSubmit={submit}>
        <TextAreaField
          label={t.enterMessage}
          rows={2}
          maxLength={MAX_MESSAGE_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {shown.map(({ name, Editor }) => (
          <Editor
            key={name}
            value={extras[name] as never}
            disabled={false}
            onChange={(value) => setExtras({ ...extras, [name]: value })}
          />
        ))}
        <div className="dialog-actions">
          <Button onClick={() => onClose(null)}>{t.cancel}</Button>
          <Button kind="primary" type="submit" disabled={!isSendable}>
            {t.send}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
