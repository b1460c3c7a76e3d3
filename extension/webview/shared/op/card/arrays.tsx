// The arrays that an op reads and writes, and the product that the matrix unit computes: what of them is padding.

import * as l10n from '@vscode/l10n';
import type { ArrayRecord, DimensionPadding, PaddingRow } from '../../../../src/protocol';
import { byteSize, count, share } from '../../text/format';
import { dimensionText, roleName, spaceName } from '../words';

export function Arrays(props: { readonly arrays: readonly ArrayRecord[] }) {
  if (props.arrays.length === 0) {
    return null;
  }
  return (
    <section>
      <h3>{l10n.t('Arrays')}</h3>
      <ul class="arrays">
        {props.arrays.map((array, position) => (
          <li key={position}>
            <p class="array-head">
              <span class="quiet ellipsis">{array.role === 'result' ? l10n.t('result') : array.role}</span>
              <span class="end" title={exactSize(array)}>
                {sizeText(array)}
              </span>
            </p>
            <p class="code shape">
              {array.shape}
              <span class="quiet">{array.layout}</span>
            </p>
            {array.space === 'main' || array.space === '' ? null : <p class="quiet">{spaceName(array.space)}</p>}
            <Padding used_ratio={array.used_ratio} predicted={array.predicted} dims={array.dims} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How much of the matrix unit each product of the op uses. */
export function MatrixUnit(props: { readonly products: readonly PaddingRow[] }) {
  if (props.products.length === 0) {
    return null;
  }
  return (
    <section>
      <h3>{l10n.t('Matrix unit')}</h3>
      <ul class="arrays">
        {props.products.map((product) => (
          <li key={`${product.inner ?? product.op} ${product.shape}`}>
            {product.inner === null ? null : <p class="code quiet">{product.inner}</p>}
            <p class="code shape">{product.shape}</p>
            <Padding used_ratio={product.used_ratio} predicted={product.predicted} dims={product.dims} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Each dimension against its tile; nothing where there are no tiles. */
function Padding(props: {
  readonly used_ratio: number;
  readonly predicted: boolean;
  readonly dims: readonly DimensionPadding[];
}) {
  const { used_ratio, predicted, dims } = props;
  if (!dims.some(({ tile }) => tile > 1)) {
    return null;
  }
  return (
    <>
      <p>
        {used_ratio < 1 ? l10n.t('{0} used, the rest is padding', share(used_ratio)) : l10n.t('no padding')}
        {predicted ? <span class="quiet"> {l10n.t('(predicted for the chosen target)')}</span> : null}
      </p>
      <ul class="dims">
        {dims.map((dimension, position) => (
          <li key={position} class={dimension.padded > dimension.size ? 'padded' : 'quiet'}>
            <span class="role">{roleName(dimension.role)}</span> {dimensionText(dimension)}
          </li>
        ))}
      </ul>
    </>
  );
}

function sizeText({ bytes, padded_bytes: padded }: ArrayRecord): string {
  return padded === bytes ? byteSize(bytes) : l10n.t('{0} → {1}', byteSize(bytes), byteSize(padded));
}

function exactSize({ bytes, padded_bytes: padded }: ArrayRecord): string {
  return padded === bytes ? `${count(bytes)} B` : l10n.t('{0} B, with padding {1} B', count(bytes), count(padded));
}
