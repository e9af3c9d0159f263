import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShoppingBasket } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError, callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { forgetAnswers } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { shopEndpoints } from '../contract.ts'
import { QuantityStepper } from './QuantityStepper.tsx'
import { shopSpecTexts, shopText } from './text.ts'

export function AddToCartForm({ id }: { id: number }) {
  const t = useText(shopText)
  const [quantity, setQuantity] = useState(1)
  const { add, isPending } = useAddToCart(id)
  return (
    <div className="add-to-cart">
      <QuantityStepper value={quantity} onChange={setQuantity} />
      <Button
        kind="primary"
        fullWidth
        icon={ShoppingBasket}
        pending={isPending}
        onClick={() => add(quantity)}
      >
        {t.add}
      </Button>
      <Link className="link" href="/cart">
        {t.openCart}
      </Link>
    </div>
  )
}

const REDIRECT_AFTER = 1000
/** The page shows the server's message, which says why the product was not added. */
const EXPLAINED_STATUSES = [422, 429, 503, 507]

/** Shows the result, then opens the home page, also after a failure. Asks visitors to log in. */
function useAddToCart(productId: number) {
  const client = useQueryClient()
  const explain = useErrorText()
  const [, go] = useLocation()
  const [ownPath] = useState(() => location.pathname)
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (quantity: number) => callEndpoint(shopEndpoints.add, { productId, quantity }),
    onSuccess: ({ cart }) => {
      forgetAnswers()
      client.setQueryData([shopEndpoints.cart.path], cart)
      showToast(<QuotedText {...shopSpecTexts.added} />, {
        key: 'cart',
      })
    },
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      const why =
        failure instanceof ApiError && EXPLAINED_STATUSES.includes(failure.status) ? explain(failure) : null
      return showToast(<AddToCartError why={why} />, { key: 'cart', kind: 'error', alert: true })
    },
  })
  const isDone = isSuccess || error !== null
  useEffect(() => {
    if (!isDone) return
    // Only while this URL is open: after a navigation this page may stay mounted for a moment.
    const timer = setTimeout(() => location.pathname === ownPath && go('/'), REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [isDone, go, ownPath])
  return { add: (quantity: number) => isPending || isDone || mutate(quantity), isPending }
}

const AddToCartError = ({ why }: { why: string | null }) => (
  <>
    <QuotedText {...shopSpecTexts.notAdded} />
    {why && <small>{why}</small>}
  </>
)
