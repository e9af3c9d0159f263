import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShoppingBasket } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { shop } from '../contract.ts'
import { Stepper } from './Stepper.tsx'
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
