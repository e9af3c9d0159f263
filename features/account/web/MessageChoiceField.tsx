import './account.css'
import { useId } from 'react'
import { useText } from '#web/i18n.ts'
import type { MessageChoice } from '../deletion-contract.ts'
import { deletionText } from './deletion-text.ts'

interface MessageChoiceFieldProps {
  value: MessageChoice
  onChange: (value: MessageChoice) => void
}

/** Asks what happens to the messages to others when an account is deleted. */
export function MessageChoiceField({ value, onChange }: MessageChoiceFieldProps) {
  const t = useText(deletionText)
  const name = useId()
  const labels = { keep: t.keepMessages, delete: t.deleteMessages }
  return (
    <fieldset className="field message-choice">
      <legend>{t.messages}</legend>
      {(['keep', 'delete'] as const).map((choice) => (
        <label className="check" key={choice}>
          <input
            type="radio"
            name={name}
            value={choice}
            checked={value === choice}
            onChange={() => onChange(choice)}
          />
          <span>{labels[choice]}</span>
        </label>
      ))}
    </fieldset>
  )
}
