import './shop.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { findAnswer, forgetAnswers } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RowSkeletons } from '#web/ui/LoadingText.tsx'
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
      {useMe() ? <CartContent /> : <LogInPrompt />}
    </PageLayout>
  )
}

function CartContent() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [shopEndpoints.cart.path],
    queryFn: async () => (await callEndpoint(shopEndpoints.cart, {})).cart,
    initialData: () => (findAnswer(shopEndpoints.cart)?.body as { cart: CartItem[] } | undefined)?.cart,
    // Another tab may have added products.
    refetchOnWindowFocus: 'always',
  })
  if (data && !hasStatus(error, 401)) return data.length ? <CartItems items={data} /> : <EmptyCart />
  return error ? (
    <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  ) : (
    <RowSkeletons count={3} />
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

/** The page shows a change at once; the requests run one after the other. */
function useCartItem(productId: number) {
  const client = useQueryClient()
  const explain = useErrorText()
  const { mutate } = useMutation({
    mutationKey: cartKey,
    scope: { id: 'cart' },
    mutationFn: (quantity: number) =>
      quantity
        ? callEndpoint(shopEndpoints.change, { productId, quantity })
        : callEndpoint(shopEndpoints.remove, { productId }),
    onMutate: async (quantity) => {
      forgetAnswers()
      await client.cancelQueries({ queryKey: cartKey })
      client.setQueryData<CartItem[]>(cartKey, (items = []) =>
        items.flatMap((item) => (item.id !== productId ? item : quantity ? { ...item, quantity } : [])),
      )
    },
    // The response to an earlier click would overwrite what the page shows for a later one.
    onSuccess: ({ cart }) =>
      client.isMutating({ mutationKey: cartKey }) === 1 && client.setQueryData(cartKey, cart),
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
      showToast(explain(failure), { key: 'cart', kind: 'error', alert: true })
      return client.invalidateQueries({ queryKey: cartKey })
    },
  })
  const remove = () => {
    mutate(0)
    focusFirst('.cart .name, h1')
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
