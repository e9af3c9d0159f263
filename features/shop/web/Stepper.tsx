import { Minus, Plus } from 'lucide-react'
import { useId, useRef } from 'react'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { MOST_OF_ONE } from '../contract.ts'
import { shopText } from './text.ts'

interface StepperProps {
  value: number
  /** Names the product for screen readers where a page has several steppers; the visible label goes. */
  about?: string
  onChange: (value: number) => void
}

/** Two buttons that lower and raise a quantity by one, from 1 to MOST_OF_ONE. */
export function Stepper({ value, about, onChange }: StepperProps) {
  const t = useText(shopText)
  const id = useId()
  const fewer = useRef<HTMLButtonElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const step = (by: 1 | -1) => {
    const next = value + by
    // A button that is at its end takes no keys: the other one has the focus before it is lost.
    if (next === 1 && document.activeElement === fewer.current) more.current?.focus()
    if (next === MOST_OF_ONE && document.activeElement === more.current) fewer.current?.focus()
    onChange(next)
  }
  return (
    <div className="field">
      <span className={about === undefined ? 'label' : 'hide'} id={id}>
        {about === undefined ? t.quantity : t.quantityOf(about)}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div className="segments on-board stepper" role="group" aria-labelledby={id}>
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
          disabled={value >= MOST_OF_ONE}
          onClick={() => step(1)}
        >
          <Icon of={Plus} size="s" />
        </button>
      </div>
    </div>
  )
}
