import './shop.css'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { callEndpoint } from '#web/api.ts'
import { hasStatus } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { findAnswer } from '#web/page-data.ts'
import { usePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { LoadingWord } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Product, shopEndpoints } from '../contract.ts'
import { AddToCartForm } from './AddToCartForm.tsx'
import { formatYen, shopText } from './text.ts'

export default function ProductPage() {
  const { id } = useParams<{ id: string }>()
  return (
    <PageLayout kind="wide inset">
      <ProductContent key={id} id={Number(id)} />
    </PageLayout>
  )
}

function ProductContent({ id }: { id: number }) {
  const t = useText(shopText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [shopEndpoints.product.path, id],
    queryFn: async () => (await callEndpoint(shopEndpoints.product, { id })).product,
    initialData: () =>
      (findAnswer(shopEndpoints.product, { id })?.body as { product: Product } | undefined)?.product,
  })
  usePageTitle(data?.name ?? null)
  if (data) return <ProductDetails product={data} />
  if (!error) return <ProductSkeleton />
  // The server answers 422 if the id in the URL is not a number.
  if (hasStatus(error, 404) || hasStatus(error, 422)) return <ProductNotFound />
  return (
    <>
      <PageHeader title={t.product} />
      <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
    </>
  )
}

function ProductDetails({ product: { id, name, price, picture, alt, about } }: { product: Product }) {
  const t = useText(shopText)
  const lang = useLang()
  return (
    <article className="product">
      <div className="product-image">
        <img src={picture} alt={alt[lang]} width={960} height={1200} />
      </div>
      <div className="product-details">
        <h1 tabIndex={-1}>
          <UserText>{name}</UserText>
        </h1>
        <p className="price">
          {formatYen(price, lang)} <small>{t.taxIncluded}</small>
        </p>
        <p className="text-soft">{about[lang]}</p>
        <AddToCartForm id={id} />
      </div>
    </article>
  )
}

function ProductNotFound() {
  const t = useText(shopText)
  return (
    <EmptyState withoutBackground as="h1" title={t.noProduct} help={t.noProductHelp}>
      <ButtonLink kind="primary" href="/">
        {t.home}
      </ButtonLink>
    </EmptyState>
  )
}

const ProductSkeleton = () => (
  <div className="product skeleton">
    <div className="product-image">
      <span className="skeleton-part" />
    </div>
    <div className="product-details">
      <h1 className="visually-hidden" tabIndex={-1}>
        {useText(shopText).product}
      </h1>
      <LoadingWord />
      <span className="skeleton-part" />
      <span className="skeleton-part" />
      <span className="skeleton-part" />
    </div>
  </div>
)
