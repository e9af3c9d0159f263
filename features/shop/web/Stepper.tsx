import { Minus, Plus } from 'lucide-react'
import { useId, useRef } from 'react'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { shopText } from './text.ts'

interface StepperProps {
  value: number
  most: number
  onChange: (value: number) => void
}

/** From 1 to `most`, one at a time. */
export function Stepper({ value, most, onChange }: StepperProps) {
  const t = useText(shopText)
  const id = useId()
  const fewer = useRef<HTMLButtonElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const step = (by: 1 | -1) => {
    const next = value + by
    // A button that is at its end takes no keys: the other one has the focus before it is lost.
    if (next === 1 && document.activeElement === fewer.current) more.current?.focus()
    if (next === most && document.activeElement === more.current) fewer.current?.focus()
    onChange(next)
  }
  return (
    <div className="field">
      <span className="label" id={id}>
        {t.quantity}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div className="joined on-board stepper" role="group" aria-labelledby={id}>
        <button
          type="button"
          ref={fewer}
          aria-label={t.oneFewer}
          title={t.oneFewer}
          disabled={value <= 1}
          onClick={() => step(-1)}
        >
          <Icon of={Minus} size="s" />
        </button>
        <output aria-labelledby={id}>{value}</output>
        <button
          type="button"
          ref={more}
          aria-label={t.oneMore}
          title={t.oneMore}
          disabled={value >= most}
          onClick={() => step(1)}
        >
          <Icon of={Plus} size="s" />
        </button>
      </div>
    </div>
  )
}
