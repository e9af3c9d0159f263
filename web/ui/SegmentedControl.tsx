import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'

interface Part<T> {
  value: T
  label: string
  icon?: LucideIcon
  lang?: string
}
interface JoinedProps<T> {
  label: string
  parts: readonly Part<T>[]
  value: T
  onChange: (value: T) => void
  /** Lies on a board instead of the ground. */
  onBoard?: boolean
}

/** One choice of a few, as joined buttons. A part with an icon shows the icon alone. */
export const SegmentedControl = <T extends string | null>({
  label,
  parts,
  value,
  onChange,
  onBoard,
}: JoinedProps<T>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
  <div className={onBoard ? 'joined on-board' : 'joined'} role="group" aria-label={label}>
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
