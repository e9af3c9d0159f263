import { useText } from '#web/i18n.ts'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import type { KeepOrDeleteMessages } from '../deletion-contract.ts'
import { accountDeletionText } from './deletion-text.ts'

interface MessageChoiceFieldProps {
  value: KeepOrDeleteMessages
  onChange: (value: KeepOrDeleteMessages) => void
}

/**
 * Renders a question with two answers: whether the messages that a member has sent are kept or deleted when
 * their account is deleted.
 */
export function KeepOrDeleteMessagesField({ value, onChange }: MessageChoiceFieldProps) {
  const t = useText(accountDeletionText)
  const labels = { keep: t.keepMessages, delete: t.deleteMessages }
  return (
    <RadioGroup
      className="field"
      label={t.messages}
      choices={(['keep', 'delete'] as const).map((choice) => ({ value: choice, label: labels[choice] }))}
      inputProps={(choice) => ({ checked: value === choice, onChange: () => onChange(choice) })}
    />
  )
}
