import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Minus, Plus, ShoppingBasket } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { MOST_OF_ONE, shop } from '../contract.ts'
import { fixed, shopText } from './text.ts'

/** Chooses how many of a product, and puts them into the cart. */
export function AddToCart({ id }: { id: number }) {
  const t = useText(shopText)
  const [quantity, setQuantity] = useState(1)
  const { add, isPending } = useAddToCart(id)
  return (
    <div className="order">
      <Stepper value={quantity} onChange={setQuantity} />
      <Button kind="primary" full icon={ShoppingBasket} pending={isPending} onClick={() => add(quantity)}>
        {t.add}
      </Button>
      <Link className="link" href="/cart">
        {t.toCart}
      </Link>
    </div>
  )
}

const HOME_AFTER = 1000
/** Statuses whose message tells the reader more than that it failed. */
const TELLING = [422, 429, 503, 507]

/** Adds a product to the cart, shows the result and then goes to the home page. Asks visitors to log in. */
function useAddToCart(productId: number) {
  const client = useQueryClient()
  const explain = useExplain()
  const [, go] = useLocation()
  const [ownPath] = useState(() => location.pathname)
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (quantity: number) => api(shop.add, { productId, quantity }),
    onSuccess: ({ cart }) => {
      forgetInitialAnswers()
      client.setQueryData([shop.cart.path], cart)
      toast(<QuotedText {...fixed.added} />, { key: 'cart' })
    },
    onError: (failure) => {
      if (isHttpError(failure, 401)) pleaseLogIn()
      const why = failure instanceof ApiError && TELLING.includes(failure.status) ? explain(failure) : null
      return toast(<NotAdded why={why} />, { key: 'cart', kind: 'bad', alert: true })
    },
  })
  const isDone = isSuccess || error !== null
  useEffect(() => {
    if (!isDone) return
    // A reader who has gone elsewhere stays there, also while this page is still shown.
    const timer = setTimeout(() => location.pathname === ownPath && go('/'), HOME_AFTER)
    return () => clearTimeout(timer)
  }, [isDone, go, ownPath])
  return { add: (quantity: number) => isPending || isDone || mutate(quantity), isPending }
}

const NotAdded = ({ why }: { why: string | null }) => (
  <>
    <QuotedText {...fixed.notAdded} />
    {why && <small>{why}</small>}
  </>
)

interface StepperProps {
  value: number
  onChange: (value: number) => void
}

/** From 1 to the most that one order may have, one at a time. */
function Stepper({ value, onChange }: StepperProps) {
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
      <span className="label" id={id}>
        {t.quantity}
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
