import type { ComponentProps } from 'react'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { useCommunitySetting } from './useCommunitySetting.ts'

interface SettingChoiceProps<Name extends string, Value extends string>
  extends Pick<ComponentProps<typeof RadioGroup<Value>>, 'label' | 'choices' | 'children'> {
  name: Name
  /** The value that is stored in the settings of the community. */
  saved: Value
}

/**
 * Renders a setting that is one of several values, as radio buttons. A change is saved at once, and taken
 * back if saving fails.
 */
export function CommunitySettingRadioGroup<Name extends string, Value extends string>({
  name,
  saved,
  children,
  ...texts
}: SettingChoiceProps<Name, Value>) {
  const [chosen, choose, dialog] = useCommunitySetting(name, saved)
  return (
    <RadioGroup
      {...texts}
      className="card setting"
      inputProps={(value) => ({ checked: chosen === value, onChange: () => choose(value) })}
    >
      {children}
      {dialog}
    </RadioGroup>
  )
}
