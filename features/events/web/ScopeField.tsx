import { useText } from '#web/i18n.ts'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { type Scope, scopes } from '../contract.ts'
import { eventPageText } from './page-text.ts'

export function ScopeField({ value, onChange }: { value: Scope; onChange: (scope: Scope) => void }) {
  const t = useText(eventPageText)
  return (
    <RadioGroup
      label={t.scope}
      choices={scopes.map((scope) => ({ value: scope, label: t.scopes[scope] }))}
      inputProps={(scope) => ({ checked: scope === value, onChange: () => onChange(scope) })}
    />
  )
}
