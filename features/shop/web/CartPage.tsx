import './shop.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findInitialEndpointResponse, forgetInitialEndpointResponses } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowListSkeleton } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type CartItem, shopEndpoints } from '../contract.ts'
import { QuantityStepper } from './QuantityStepper.tsx'
import { formatYen, shopText } from './text.ts'

export default function CartPage() {
  const t = useText(shopText)
  return (
    <PageLayout>
      <PageHeader title={t.cart} />
      {useMe() ? <CartContent /> : <LogInPromptBox />}
    </PageLayout>
  )
}

function CartContent() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [shopEndpoints.cart.path],
    queryFn: async () => (await callEndpoint(shopEndpoints.cart, {})).cart,
    initialData: () =>
      (findInitialEndpointResponse(shopEndpoints.cart)?.body as { cart: CartItem[] } | undefined)?.cart,
    // Refetches the cart when the window gets the focus, because another tab may have added products.
    refetchOnWindowFocus: 'always',
  })
  if (data && !isErrorWithStatus(error, 401)) return data.length ? <CartItems items={data} /> : <EmptyCart />
  return error ? (
    <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  ) : (
    <RowListSkeleton count={3} />
  )
}

function CartItems({ items }: { items: CartItem[] }) {
  const t = useText(shopText)
  const lang = useLang()
  const total = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  return (
    <ul className="cards flush cart">
      {items.map((item) => (
        <Item key={item.id} item={item} />
      ))}
      <li className="row total">
        <span className="text text-soft">
          {t.total} <small>{t.taxIncluded}</small>
        </span>
        <span className="price">{formatYen(total, lang)}</span>
      </li>
    </ul>
  )
}

function Item({ item: { id, name, price, quantity, picture } }: { item: CartItem }) {
  const t = useText(shopText)
  const lang = useLang()
  const { change, remove } = useCartItem(id)
  return (
    <li className="row">
      <img className="product-picture" src={picture} alt="" width={64} height={64} />
      <div className="text">
        <Link className="name" href={`/products/${id}`}>
          <UserText>{name}</UserText>
        </Link>
        <span className="cluster quantity-line">
          <QuantityStepper value={quantity} productName={name} onChange={change} />
          {quantity > 1 && <span className="amount unit-price">× {formatYen(price, lang)}</span>}
        </span>
      </div>
      <span className="price">{formatYen(price * quantity, lang)}</span>
      <Button kind="ghost" iconOnly icon={Trash2} label={t.remove(name)} onClick={remove} />
    </li>
  )
}

const cartKey = [shopEndpoints.cart.path]

/**
 * Returns functions that change the quantity of a product in the cart, or remove the product. The page shows
 * the change at once; the requests run one after the other.
 */
function useCartItem(productId: number) {
  const client = useQueryClient()
  const explain = useErrorFormatter()
  const { mutate } = useMutation({
    mutationKey: cartKey,
    scope: { id: 'cart' },
    mutationFn: (quantity: number) =>
      quantity
        ? callEndpoint(shopEndpoints.change, { productId, quantity })
        : callEndpoint(shopEndpoints.remove, { productId }),
    onMutate: async (quantity) => {
      forgetInitialEndpointResponses()
      await client.cancelQueries({ queryKey: cartKey })
      client.setQueryData<CartItem[]>(cartKey, (items = []) =>
        items.flatMap((item) => (item.id !== productId ? item : quantity ? { ...item, quantity } : [])),
      )
    },
    // Ignores the response to a click if a later click has sent another request, because the response would
    // overwrite what the page shows for the later click.
    onSuccess: ({ cart }) =>
      client.isMutating({ mutationKey: cartKey }) === 1 && client.setQueryData(cartKey, cart),
    onError: (failure) => {
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
      showToast(explain(failure), { key: 'cart', kind: 'error', alert: true })
      return client.invalidateQueries({ queryKey: cartKey })
    },
  })
  const remove = () => {
    mutate(0)
    focusFirstMatchOnceRendered('.cart .name, h1')
  }
  return { change: mutate, remove }
}

function EmptyCart() {
  const t = useText(shopText)
  return (
    <EmptyState title={t.empty}>
      <ButtonLink href="/products/1">{t.seeProducts}</ButtonLink>
    </EmptyState>
  )
}
