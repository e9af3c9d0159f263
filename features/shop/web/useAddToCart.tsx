import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { ApiError, api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { shop } from '../contract.ts'
import { fixed } from './text.ts'

const HOME_AFTER = 1000
/** Whose sentence says more than that it failed. */
const TELLING = [422, 429, 503, 507]

/** Adds to the cart, says how it went, and goes home, either way. Whoever is not logged in is asked to, too. */
export function useAddToCart(productId: number) {
  const client = useQueryClient()
  const explain = useExplain()
  const [, go] = useLocation()
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
    const timer = setTimeout(go, HOME_AFTER, '/')
    return () => clearTimeout(timer)
  }, [isDone, go])
  return { add: (quantity: number) => isPending || isDone || mutate(quantity), isPending }
}

const NotAdded = ({ why }: { why: string | null }) => (
  <>
    <QuotedText {...fixed.notAdded} />
    {why && <small>{why}</small>}
  </>
)
