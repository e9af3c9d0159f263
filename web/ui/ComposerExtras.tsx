import { type ComposerExtra, composerExtras, type ExtraValues } from '#web/composer-extras.ts'
import { useLang } from '#web/i18n.ts'
import { Button } from './Button.tsx'

interface Props {
  values: ExtraValues
  onChange: (values: ExtraValues) => void
  /** The group of the chosen audience. */
  group: number | null
  disabled: boolean
}

const without = (values: ExtraValues, name: string) =>
  Object.fromEntries(Object.entries(values).filter(([other]) => other !== name))

/** Buttons that add and remove what features can add to a post. */
export const ExtraButtons = (props: Props) =>
  composerExtras.map((extra) => <ExtraButton key={extra.name} extra={extra} {...props} />)

function ExtraButton({ extra, values, onChange, group, disabled }: Props & { extra: ComposerExtra }) {
  const { name, useIsOffered = always, ways = [{ ...extra, isOn: always }] } = extra
  const lang = useLang()
  const isOffered = useIsOffered(group)
  if (!isOffered && !(name in values)) return null
  return ways.map(({ label, icon, initial, isOn }) => {
    const isPressed = name in values && isOn(values[name] as never)
    return (
      <Button
        key={label.en}
        kind="ghost"
        icon={icon}
        aria-pressed={isPressed}
        disabled={disabled}
        onClick={() => onChange(isPressed ? without(values, name) : { ...values, [name]: initial })}
      >
        <span>{label[lang]}</span>
      </Button>
    )
  })
}
const always = () => true

export const ExtraEditors = ({ values, onChange, disabled }: Props) =>
  composerExtras.map(
    ({ name, Editor }) =>
      name in values && (
        <Editor
          key={name}
          value={values[name] as never}
          disabled={disabled}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ),
  )
