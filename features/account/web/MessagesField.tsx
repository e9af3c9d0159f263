import { useText } from '#web/i18n.ts'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import type { MessagesChoice } from '../contract.ts'
import { deletionText } from './deletion-text.ts'

interface Props {
  value: MessagesChoice
  onChange: (value: MessagesChoice) => void
}

export function MessagesField({ value, onChange }: Props) {
  const t = useText(deletionText)
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
