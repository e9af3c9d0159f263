import './shop.css'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { api } from '#web/api.ts'
import { isHttpError } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { initialAnswer } from '#web/page-data.ts'
import { usePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { LoadingWord } from '#web/ui/Loading.tsx'
import { Name } from '#web/ui/Name.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { type Product, shop } from '../contract.ts'
import { AddToCart } from './AddToCart.tsx'
import { shopText, yen } from './text.ts'

export default function ProductPage() {
  const { id } = useParams<{ id: string }>()
  return (
    <PageLayout kind="wide inset">
      <Loaded key={id} id={Number(id)} />
    </PageLayout>
  )
}

function Loaded({ id }: { id: number }) {
  const t = useText(shopText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [shop.product.path, id],
    queryFn: async () => (await api(shop.product, { id })).product,
    initialData: () =>
      (initialAnswer(shop.product, { id })?.body as { product: Product } | undefined)?.product,
  })
  usePageTitle(data?.name ?? null)
  if (data) return <Shown product={data} />
  if (!error) return <ProductSkeleton />
  // 422: the address holds no number.
  if (isHttpError(error, 404) || isHttpError(error, 422)) return <Unknown />
  return (
    <>
      <PageHeader title={t.product} />
      <NotLoaded error={error} pending={isFetching} onRetry={() => refetch()} />
    </>
  )
}

function Shown({ product: { id, name, price, picture, alt, about } }: { product: Product }) {
  const t = useText(shopText)
  const lang = useLang()
  return (
    <article className="product">
      <div className="shown">
        <img src={picture} alt={alt[lang]} width={960} height={1200} />
      </div>
      <div className="about">
        <h1 tabIndex={-1}>
          <Name>{name}</Name>
        </h1>
        <p className="price">
          {yen(price, lang)} <small>{t.taxIncluded}</small>
        </p>
        <p className="soft">{about[lang]}</p>
        <AddToCart id={id} />
      </div>
    </article>
  )
}

function Unknown() {
  const t = useText(shopText)
  return (
    <Empty plain as="h1" title={t.noProduct} help={t.noProductHelp}>
      <ButtonLink kind="primary" href="/">
        {t.home}
      </ButtonLink>
    </Empty>
  )
}

const ProductSkeleton = () => (
  <div className="product skeleton">
    <div className="shown">
      <span className="skeleton-part" />
    </div>
    <div className="about">
      <h1 className="hide" tabIndex={-1}>
        {useText(shopText).product}
      </h1>
      <LoadingWord />
      <span className="skeleton-part" />
      <span className="skeleton-part" />
      <span className="skeleton-part" />
    </div>
  </div>
)
