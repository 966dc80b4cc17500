// A freight forwarder: camelCase names, declared primary keys, no declared foreign keys, a composite key, a bridge
// table, and two hubs.
import { day, moment, pickNth, type Schema, times } from './schema.ts';

const EVENTS = times(40, (n) => n).flatMap((shipment) => times(1 + (shipment % 3), (seq) => [shipment, seq] as const));

export const FREIGHT: Schema = {
  name: 'freight',
  tables: {
    Region: {
      columns: 'regionId int, name text, code text',
      key: ['regionId'],
      rows: [
        [1, 'North', 'N'],
        [2, 'South', 'S'],
        [3, 'East', 'E'],
      ],
    },
    Hub: {
      columns: 'hubId int, name text, code text, regionId int, capacityTons dec, openedOn date',
      key: ['hubId'],
      rows: times(8, (n) => [n, `Hub ${n}`, `H${n}`, 1 + (n % 3), 100 * n, day(n * 5)]),
    },
    Carrier: {
      columns: 'carrierId int, name text, code text, status text, rating dec',
      key: ['carrierId'],
      rows: times(6, (n) => [
        n,
        `Carrier ${n}`,
        pickNth(['N', 'S', 'E'], n) + n,
        pickNth(['active', 'paused'], n),
        3 + (n % 3),
      ]),
    },
    Driver: {
      columns:
        'driverId int, fullName text, licenceNo text, birthDate date, homeHubId int, monthlySalary dec, hiredOn date, carrierId int',
      key: ['driverId'],
      rows: times(15, (n) => [
        ...[n, `Driver ${pickNth('KLMNO'.split(''), n)} ${n}`, `LX-${9000 + n}`, `19${60 + n}-04-0${1 + (n % 8)}`],
        ...[1 + (n % 8), 2500 + n, day(n * 11), 1 + (n % 6)],
      ]),
    },
    Shipment: {
      columns:
        'shipmentId int, carrierId int, originHubId int, destinationHubId int, bookedAt ts, deliveredAt ts, updatedAt ts, weightKg dec, freightCost dec, status int, fuelSurchargePct dec, isInsured bool',
      key: ['shipmentId'],
      rows: times(40, (n) => [
        ...[
          n,
          1 + (n % 6),
          1 + (n % 8),
          1 + ((n + 3) % 8),
          moment(n),
          n % 5 === 0 ? null : moment(n + 4),
          moment(n + 60),
        ],
        ...[100 + n, 50 + n * 2, 1 + (n % 4), 5 + (n % 3), n % 2 === 0],
      ]),
    },
    ShipmentEvent: {
      columns: 'shipmentId int, seqNo int, hubId int, occurredAt ts, eventCode text',
      key: ['shipmentId', 'seqNo'],
      rows: EVENTS.map(([shipment, seq]) => [
        ...[shipment, seq, 1 + ((shipment + seq) % 8), moment(shipment + seq), pickNth(['PICK', 'SORT', 'DROP'], seq)],
      ]),
    },
    EventScan: {
      columns: 'scanId int, shipmentId int, seqNo int, deviceTempC dec, scannedAt ts',
      key: ['scanId'],
      rows: EVENTS.flatMap(([shipment, seq]) => [
        [shipment * 100 + seq * 10, shipment, seq, 20 + (seq % 5), moment(shipment + seq)],
        [shipment * 100 + seq * 10 + 1, shipment, seq, 21 + (seq % 5), moment(shipment + seq)],
      ]),
    },
    DriverShipment: {
      columns: 'driverId int, shipmentId int',
      key: ['driverId', 'shipmentId'],
      rows: times(40, (n) => [1 + (n % 15), n]),
    },
    HubStock: {
      columns: 'hubId int, countedOn date, palletsOnHand int, fillRate dec',
      key: ['hubId', 'countedOn'],
      rows: times(8, (n) => n).flatMap((hub) =>
        times(4, (week) => [hub, day(week * 7), hub * 10 + week, 0.5 + week / 10]),
      ),
    },
    Complaint: {
      columns: 'complaintId int, shipmentId int, carrierCode text, code text, filedOn date, status int',
      key: ['complaintId'],
      // Some codes equal region codes by accident. The carrier codes belong to another company.
      rows: times(30, (n) => [n, n, pickNth(['QX', 'N3', 'ZZ'], n), pickNth(['N', 'S', 'E'], n), day(n), 1 + (n % 2)]),
    },
  },
  expected: {
    joins: [
      'Hub.regionId -> Region.regionId',
      'Driver.homeHubId -> Hub.hubId',
      'Driver.carrierId -> Carrier.carrierId',
      'Shipment.carrierId -> Carrier.carrierId',
      'Shipment.originHubId -> Hub.hubId',
      'Shipment.destinationHubId -> Hub.hubId',
      'ShipmentEvent.shipmentId -> Shipment.shipmentId',
      'ShipmentEvent.hubId -> Hub.hubId',
      'EventScan.shipmentId,seqNo -> ShipmentEvent.shipmentId,seqNo',
      'EventScan.shipmentId -> Shipment.shipmentId',
      'DriverShipment.driverId -> Driver.driverId',
      'DriverShipment.shipmentId -> Shipment.shipmentId',
      'HubStock.hubId -> Hub.hubId',
      'Complaint.shipmentId -> Shipment.shipmentId',
    ],
    undecided: { 'Complaint.carrierCode': /1 of 3/ },
    keys: {
      ...{ Region: ['regionId'], Hub: ['hubId'], Shipment: ['shipmentId'], ShipmentEvent: ['shipmentId', 'seqNo'] },
      ...{ HubStock: ['hubId', 'countedOn'] },
    },
    dates: {
      ...{ Shipment: 'bookedAt', ShipmentEvent: 'occurredAt', Driver: 'hiredOn', Complaint: 'filedOn' },
      ...{ HubStock: 'countedOn', EventScan: 'scannedAt', Hub: 'openedOn' },
    },
    adds: {
      ...{ 'Shipment.freightCost': 'sum', 'Shipment.fuelSurchargePct': 'average', 'Carrier.rating': 'average' },
      ...{ 'EventScan.deviceTempC': 'average', 'HubStock.palletsOnHand': 'latest', 'HubStock.fillRate': 'average' },
    },
    persons: ['Driver.fullName', 'Driver.licenceNo', 'Driver.birthDate', 'Driver.monthlySalary'],
    codes: ['Shipment.status', 'Complaint.status', 'ShipmentEvent.eventCode', 'Carrier.status'],
    words: { 'Driver.licenceNo': 'licence number', 'Shipment.fuelSurchargePct': 'fuel surcharge percent' },
  },
};
