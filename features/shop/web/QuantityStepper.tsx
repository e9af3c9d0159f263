import { Minus, Plus } from 'lucide-react'
import { useId, useRef } from 'react'
import { useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { MAX_QUANTITY } from '../contract.ts'
import { shopText } from './text.ts'

interface StepperProps {
  value: number
  /** For screen readers, where a page has several steppers; the visible label is then left out. */
  productName?: string
  onChange: (value: number) => void
}

/** From 1 to MAX_QUANTITY. */
export function QuantityStepper({ value, productName, onChange }: StepperProps) {
  const t = useText(shopText)
  const id = useId()
  const fewer = useRef<HTMLButtonElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const step = (by: 1 | -1) => {
    const next = value + by
    // Focuses the other button first, because a disabled button loses the focus.
    if (next === 1 && document.activeElement === fewer.current) more.current?.focus()
    if (next === MAX_QUANTITY && document.activeElement === more.current) fewer.current?.focus()
    onChange(next)
  }
  return (
    <div className="field">
      <span className={productName === undefined ? 'label' : 'visually-hidden'} id={id}>
        {productName === undefined ? t.quantity : t.quantityOf(productName)}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div className="segments on-card stepper" role="group" aria-labelledby={id}>
        <button
          type="button"
          ref={fewer}
          aria-label={t.oneFewer}
          title={t.oneFewer}
          disabled={value <= 1}
          onClick={() => step(-1)}
        >
          <Icon icon={Minus} size="s" />
        </button>
        <output aria-labelledby={id}>{value}</output>
        <button
          type="button"
          ref={more}
          aria-label={t.oneMore}
          title={t.oneMore}
          disabled={value >= MAX_QUANTITY}
          onClick={() => step(1)}
        >
          <Icon icon={Plus} size="s" />
        </button>
      </div>
    </div>
  )
}
