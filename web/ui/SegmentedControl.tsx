import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'

interface Segment<T> {
  value: T
  label: string
  icon?: LucideIcon
  lang?: string
}
interface SegmentedControlProps<T> {
  label: string
  options: readonly Segment<T>[]
  value: T
  onChange: (value: T) => void
  /** A card or a menu is lighter than the page. */
  onCard?: boolean
}

/** A button with an icon shows only the icon. */
export const SegmentedControl = <T extends string | null>({
  label,
  options,
  value,
  onChange,
  onCard,
}: SegmentedControlProps<T>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
  <div className={onCard ? 'segments on-card' : 'segments'} role="group" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        lang={option.lang}
        aria-pressed={option.value === value}
        aria-label={option.icon && option.label}
        title={option.icon && option.label}
        onClick={() => onChange(option.value)}
      >
        {option.icon ? <Icon icon={option.icon} size="s" /> : option.label}
      </button>
    ))}
  </div>
)
