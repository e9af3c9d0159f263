import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'

interface Segment<T> {
  value: T
  label: string
  icon?: LucideIcon
  lang?: string
}
interface SegmentedControlProps<T> {
  label: string
  parts: readonly Segment<T>[]
  value: T
  onChange: (value: T) => void
  /** For a place with a white background. */
  onBoard?: boolean
}

/** Joined buttons, of which one is selected. A part with an icon shows only the icon. */
export const SegmentedControl = <T extends string | null>({
  label,
  parts,
  value,
  onChange,
  onBoard,
}: SegmentedControlProps<T>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
  <div className={onBoard ? 'segments on-board' : 'segments'} role="group" aria-label={label}>
    {parts.map((part) => (
      <button
        key={part.label}
        type="button"
        lang={part.lang}
        aria-pressed={part.value === value}
        aria-label={part.icon && part.label}
        title={part.icon && part.label}
        onClick={() => onChange(part.value)}
      >
        {part.icon ? <Icon of={part.icon} size="s" /> : part.label}
      </button>
    ))}
  </div>
)
