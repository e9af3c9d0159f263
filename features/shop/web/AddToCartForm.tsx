import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ShoppingBasket } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError, callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { forgetInitialEndpointResponses } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { shopEndpoints } from '../contract.ts'
import { QuantityStepper } from './QuantityStepper.tsx'
import { shopSpecificationTextPropsByName, shopText } from './text.ts'

/** Renders a form in which the user chooses the quantity of a product and adds it to the cart. */
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
/**
 * The HTTP statuses for which the page shows the server's message, which says why the product was not added.
 */
const EXPLAINED_STATUSES = [422, 429, 503, 507]

/**
 * Returns a function that adds a product to the cart, shows the result, and then opens the home page, also
 * after a failure. The function asks visitors to log in.
 */
function useAddToCart(productId: number) {
  const client = useQueryClient()
  const explain = useErrorFormatter()
  const [, go] = useLocation()
  const [ownPath] = useState(() => location.pathname)
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (quantity: number) => callEndpoint(shopEndpoints.add, { productId, quantity }),
    onSuccess: ({ cart }) => {
      forgetInitialEndpointResponses()
      client.setQueryData([shopEndpoints.cart.path], cart)
      showToast(<SpecificationTextWithTranslation {...shopSpecificationTextPropsByName.added} />, {
        key: 'cart',
      })
    },
    onError: (failure) => {
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      const why =
        failure instanceof ApiError && EXPLAINED_STATUSES.includes(failure.status) ? explain(failure) : null
      return showToast(<AddToCartError why={why} />, { key: 'cart', kind: 'error', alert: true })
    },
  })
  const isDone = isSuccess || error !== null
  useEffect(() => {
    if (!isDone) return
    // Redirects only while this page's URL is open: after a navigation this page may stay mounted for a
    // moment.
    const timer = setTimeout(() => location.pathname === ownPath && go('/'), REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [isDone, go, ownPath])
  return { add: (quantity: number) => isPending || isDone || mutate(quantity), isPending }
}

const AddToCartError = ({ why }: { why: string | null }) => (
  <>
    <SpecificationTextWithTranslation {...shopSpecificationTextPropsByName.notAdded} />
    {why && <small>{why}</small>}
  </>
)
