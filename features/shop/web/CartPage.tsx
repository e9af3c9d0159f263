import './shop.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn, useExplain } from '#web/errors.ts'
import { focusLater } from '#web/focus.ts'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { NotLoaded, PleaseLogIn } from '#web/NotLoaded.tsx'
import { forgetInitialAnswers, initialAnswer } from '#web/page-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { RowSkeleton } from '#web/ui/Loading.tsx'
import { Name } from '#web/ui/Name.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { type CartItem, shop } from '../contract.ts'
import { Stepper } from './Stepper.tsx'
import { shopText, yen } from './text.ts'

export default function CartPage() {
  const t = useText(shopText)
  return (
    <PageLayout>
      <PageHeader title={t.cart} />
      {useMe() ? <Loaded /> : <PleaseLogIn />}
    </PageLayout>
  )
}

function Loaded() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [shop.cart.path],
    queryFn: async () => (await api(shop.cart, {})).cart,
    initialData: () => (initialAnswer(shop.cart)?.body as { cart: CartItem[] } | undefined)?.cart,
    // Things are added in another tab as well.
    refetchOnWindowFocus: 'always',
  })
  if (data && !isHttpError(error, 401)) return data.length ? <Items items={data} /> : <Nothing />
  return error ? (
    <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />
  ) : (
    <RowSkeleton count={3} />
  )
}

function Items({ items }: { items: CartItem[] }) {
  const t = useText(shopText)
  const lang = useLang()
  const total = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  return (
    <ul className="boards flush cart">
      {items.map((item) => (
        <Item key={item.id} item={item} />
      ))}
      <li className="row total">
        <span className="text soft">
          {t.total} <small>{t.taxIncluded}</small>
        </span>
        <span className="price">{yen(total, lang)}</span>
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
          <Name>{name}</Name>
        </Link>
        <span className="line-up amounts">
          <Stepper value={quantity} about={name} onChange={change} />
          {quantity > 1 && <span className="amount each">× {yen(price, lang)}</span>}
        </span>
      </div>
      <span className="price">{yen(price * quantity, lang)}</span>
      <Button kind="bare" only icon={Trash2} label={t.remove(name)} onClick={remove} />
    </li>
  )
}

const CART = [shop.cart.path]

/** Changes or removes a product of the cart. The page shows it at once; requests run one after the other. */
function useCartItem(productId: number) {
  const client = useQueryClient()
  const explain = useExplain()
  const { mutate } = useMutation({
    mutationKey: CART,
    scope: { id: 'cart' },
    mutationFn: (quantity: number) =>
      quantity ? api(shop.change, { productId, quantity }) : api(shop.remove, { productId }),
    onMutate: async (quantity) => {
      forgetInitialAnswers()
      await client.cancelQueries({ queryKey: CART })
      client.setQueryData<CartItem[]>(CART, (items = []) =>
        items.flatMap((item) => (item.id !== productId ? item : quantity ? { ...item, quantity } : [])),
      )
    },
    // The answer to an earlier press would undo what a later one shows.
    onSuccess: ({ cart }) =>
      client.isMutating({ mutationKey: CART }) === 1 && client.setQueryData(CART, cart),
    onError: (failure) => {
      if (isHttpError(failure, 401)) pleaseLogIn()
      toast(explain(failure), { key: 'cart', kind: 'bad', alert: true })
      return client.invalidateQueries({ queryKey: CART })
    },
  })
  const remove = () => {
    mutate(0)
    focusLater('.cart .name, h1')
  }
  return { change: mutate, remove }
}

function Nothing() {
  const t = useText(shopText)
  return (
    <Empty title={t.empty}>
      <ButtonLink href="/products/1">{t.look}</ButtonLink>
    </Empty>
  )
}
